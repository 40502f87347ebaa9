/** The OpenAPI 3.1 document, made of the declared operations. */
import type { TObject, TSchema } from 'typebox';
import type { Access, Operation } from './operation.ts';
import type { Node } from './types.ts';

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
  /** Public address, without a trailing slash. */
  serverUrl?: string;
}

type Json = Record<string, unknown>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });
const answer = (description: string, schema: unknown) => ({ description, content: json(schema) });

/** What the check needs to know and the document does not. */
const INTERNAL = new Set(['x-kind', 'x-bounds']);

/** Says in JSON Schema what the check makes of a decimal's bounds, a word list and nested alternatives. */
function spelledOut(node: Node): Json {
  if (node.enum) return { type: 'string', ...node };
  if (!node.anyOf) return { ...node };
  const bounds = node['x-bounds'] ?? {};
  const limits = {
    ...(bounds.min === undefined ? {} : { minimum: Number(bounds.min) }),
    ...(bounds.max === undefined ? {} : { maximum: Number(bounds.max) }),
  };
  const branches = (node.anyOf as Node[]).flatMap((branch) =>
    branch.anyOf ? (spelledOut(branch).anyOf as Node[]) : [branch],
  );
  return {
    ...node,
    anyOf: branches.map((branch) => (branch.type === 'number' ? { ...limits, ...branch } : branch)),
  };
}

/** The schema as the document shows it. */
const published = (schema: TSchema): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (INTERNAL.has(key)) return undefined;
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? spelledOut(value) : value;
    }),
  );

function parametersIn(place: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || ((schema?.required ?? []) as string[]).includes(name),
    schema: published(field),
  }));
}

function securityOf(access: Access): Json[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'session') return [{ Sitzung: [] }];
  return access.kind === 'key' ? [{ Schluessel: [] }] : [{ Schluessel: [] }, { SchluesselKopf: [] }];
}

function faultsOf({ access, method, params, query, header, body }: Operation): Json {
  // Changes must come from the same origin, signed in or not; keys need no such rule, but a scope.
  const forbidden =
    access.kind === 'key' || access.kind === 'session' || (access.kind === 'public' && method !== 'GET');
  const fault = (description: string) => answer(description, ref('Fehler'));
  return {
    ...(body ? { 400: fault('Der Inhalt ist nicht lesbar.') } : {}),
    ...(access.kind === 'public' ? {} : { 401: fault('Ohne oder mit falschen Zugangsdaten.') }),
    ...(forbidden ? { 403: fault('Nicht erlaubt.') } : {}),
    ...(params ? { 404: fault('Gibt es nicht oder gehört einem anderen Mandanten.') } : {}),
    ...(params || query || header || body
      ? { 422: answer('Validation Error', ref('HTTPValidationError')) }
      : {}),
    default: fault('Anderer Fehler.'),
  };
}

/** A success in JSON, in other media types, or in both. */
function success({ response, media = ['application/json'] }: Operation): Json {
  const schemaOf = (type: string) =>
    type === 'application/json' ? published(response) : { type: 'string', format: 'binary' };
  const content = Object.fromEntries(media.map((type) => [type, { schema: schemaOf(type) }]));
  return { description: 'Erfolg', content };
}

const describe = (operation: Operation): Json => ({
  operationId: operation.id,
  summary: operation.summary,
  tags: [operation.id.split('.')[0]],
  security: securityOf(operation.access),
  parameters: [
    ...parametersIn('path', operation.params),
    ...parametersIn('query', operation.query),
    ...parametersIn('header', operation.header),
  ],
  ...(operation.body ? { requestBody: { required: true, content: json(published(operation.body)) } } : {}),
  responses: {
    [operation.status ?? 200]: success(operation),
    ...faultsOf(operation),
  },
});

const schemas = {
  Fehler: {
    type: 'object',
    title: 'Fehler',
    properties: {
      detail: { type: 'string', description: 'Ein deutscher Satz.' },
      code: { type: 'string', description: 'Bleibt gleich, auch wenn der Satz sich ändert.' },
    },
    required: ['detail'],
  },
  ValidationError: {
    type: 'object',
    title: 'ValidationError',
    properties: {
      loc: { type: 'array', title: 'Location', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { type: 'string', title: 'Message' },
      type: { type: 'string', title: 'Error Type' },
      input: { title: 'Input' },
      ctx: { type: 'object', title: 'Context' },
    },
    required: ['loc', 'msg', 'type'],
  },
  HTTPValidationError: {
    type: 'object',
    title: 'HTTPValidationError',
    properties: { detail: { type: 'array', title: 'Detail', items: ref('ValidationError') } },
  },
};

const securitySchemes = {
  Schluessel: { type: 'http', scheme: 'bearer', description: 'API-Schlüssel' },
  SchluesselKopf: { type: 'apiKey', in: 'header', name: 'X-SVC-Key', description: 'API-Schlüssel' },
  Sitzung: { type: 'apiKey', in: 'cookie', name: 'zw_sitzung', description: 'Sitzung des Cockpits' },
};

/** The document as a JSON value; operations on one path stand together. */
export function openapiDocument(operations: Operation[], info: DocumentInfo): object {
  const { serverUrl, ...about } = info;
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: about,
    ...(serverUrl === undefined ? {} : { servers: [{ url: serverUrl }] }),
    paths,
    components: { schemas, securitySchemes },
  };
}
