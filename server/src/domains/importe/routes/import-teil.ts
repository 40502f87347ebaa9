import { importTeil, MAX_IMPORT_TEIL_BYTES } from '#contracts';
import { createReader } from '#domains/ereignisse/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { takePart } from '../service.ts';

/** Read as a batch of `POST /v1/ereignisse` is, with the same refusals. */
export const importTeilRoute = (context: ServiceContext): Route =>
  route(
    importTeil,
    ({ principal, params, body }) =>
      takePart(context, principal.mandant, { id: params.import_id, nr: params.nr }, body),
    { bodyLimit: MAX_IMPORT_TEIL_BYTES, readers: { 'application/json': createReader() } },
  );
