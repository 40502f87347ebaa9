import { zahlungEmpfangen } from '#contracts';
import { type BodyReader, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { customerOf, type Provider } from '../provider.ts';
import { requireProvider } from '../service/buchen.ts';
import { receivePayment } from '../service/zahlungen.ts';

/** Events carry whole objects of the provider. */
const LIMIT = 512 * 1024;

/** The signature is that of the bytes. */
const readSigned: BodyReader<Buffer> = (bytes, general) => {
  const read = general.read(bytes);
  return read.ok ? { ok: true, value: bytes } : read;
};

export const zahlungEmpfangenRoute = (context: ServiceContext, configured: Provider | null): Route =>
  route(
    zahlungEmpfangen,
    async ({ body, request }) => {
      const provider = requireProvider(configured);
      const signature = request.headers['stripe-signature'];
      const event = provider.readEvent(body, signature?.toString(), context.clock.now());
      await receivePayment(context, provider, { id: event.id, type: event.type, kunde: customerOf(event) });
      return { empfangen: true };
    },
    { bodyLimit: LIMIT, readers: { 'application/json': readSigned } },
  );
