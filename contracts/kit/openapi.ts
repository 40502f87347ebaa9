/** The OpenAPI 3.1 document, made of the declared operations. */
import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../error-codes.ts';
import { Fehler, HTTPValidationError, REFUSAL_STATUS, type RefusalStatus } from './errors.ts';
import { mayBeKept } from './kept.ts';
import type { Access, Operation } from './operation.ts';
import { mayBeInvalid, REFUSALS_OF_ALL, refusalsOf } from './refusals.ts';
import { inReadingOrder, tagNameOf, tagsOf } from './tags.ts';
import type { Node } from './types.ts';

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
  /** Public address, without a trailing slash. */
  serverUrl?: string;
}

type Json = Record<string, unknown>;

const json = (schema: unknown) => ({ 'application/json': { schema } });

/** Says in JSON Schema what the check makes of a decimal's bounds and of nested alternatives. */
function alternatives({ anyOf = [], 'x-bounds': bounds = {} }: Node, publish: Publish): Json[] {
  const limits = {
    ...(bounds.min === undefined ? {} : { minimum: Number(bounds.min) }),
    ...(bounds.max === undefined ? {} : { maximum: Number(bounds.max) }),
  };
  return anyOf.flatMap((branch) => {
    const { type, anyOf: inner } = branch as Node;
    if (type === 'number') return [{ ...limits, ...publish(branch) }];
    return inner ? (publish(branch).anyOf as Json[]) : [publish(branch)];
  });
}

const mapped = (properties: Record<string, TSchema>, publish: Publish) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, publish(schema)]));

const DAY_OR_INSTANT = { anyOf: [{ format: 'date' }, { format: 'date-time' }] };

/** The schema as the document shows it: without the words that are for the check alone. */
function shapeOf(schema: TSchema, publish: Publish): Json {
  const {
    'x-kind': kind,
    'x-bounds': _,
    'x-component': __,
    'x-pattern': pattern,
    'x-known': known,
    'x-separator': ___,
    ...node
  } = schema as Node;
  return {
    ...(node.enum && { type: 'string' }),
    ...(pattern && { pattern }),
    ...(kind === 'local-datetime' && { format: 'date-time' }),
    ...(kind === 'day-or-instant' && DAY_OR_INSTANT),
    ...node,
    ...(node.properties && { properties: mapped(node.properties, publish) }),
    ...(known && { properties: mapped(known, publish) }),
    ...(node.items && { items: publish(node.items) }),
    ...(node.anyOf && { anyOf: alternatives(schema as Node, publish) }),
  };
}

/** Makes the document's form of a schema; a component becomes a reference. */
type Publish = (schema: TSchema) => Json;

/** Publishes schemas and collects the components they use. Throws when two different ones have the same name. */
function createPublish(schemas: Record<string, Json>): Publish {
  const publish: Publish = (schema) => {
    const { 'x-component': component, description: meaning, examples } = schema as Node;
    if (!component) return shapeOf(schema, publish);
    const { name, description } = component;
    const { description: _, examples: __, ...shape } = shapeOf(schema, publish);
    const published = { ...shape, title: name, description };
    if (schemas[name] && JSON.stringify(schemas[name]) !== JSON.stringify(published))
      throw new Error(`two components are named ${name}`);
    schemas[name] = published;
    return {
      $ref: `#/components/schemas/${name}`,
      ...(meaning === undefined ? {} : { description: meaning }),
      ...(examples === undefined ? {} : { examples }),
    };
  };
  return publish;
}

/** A schema as JSON Schema by itself, for readers outside the document. */
export const jsonSchemaOf: Publish = (schema) => shapeOf(schema, jsonSchemaOf);

function parametersIn(
  place: 'path' | 'query' | 'header',
  declared: TObject | undefined,
  publish: Publish,
): Json[] {
  return Object.entries(declared?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = publish(field);
    const isSeparated = (field as Node)['x-separator'] !== undefined;
    return {
      name,
      in: place,
      required: place === 'path' || ((declared?.required ?? []) as string[]).includes(name),
      ...(description === undefined ? {} : { description }),
      ...(isSeparated ? { style: 'form', explode: false } : {}),
      schema,
    };
  });
}

function securityOf(access: Access): Json[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'session' || access.kind === 'operator') return [{ Sitzung: [] }];
  if (access.kind !== 'key') return [{ Schluessel: [] }, { SchluesselKopf: [] }];
  const others = ['SchluesselKopf', 'SchluesselFremderKopf', 'SchluesselPasswort'];
  return ['Schluessel', ...(access.foreign ? others : [])].map((scheme) => ({ [scheme]: [] }));
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const refusal = (status: RefusalStatus, codes: readonly ErrorCode[], publish: Publish): Json => ({
  description: `${REFUSAL_STATUS[status]} Möglich: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
  content: json(publish(Fehler)),
});

const ofAll = Object.entries(REFUSALS_OF_ALL).map(([status, codes]) => ({
  status: Number(status) as RefusalStatus,
  codes: codes as readonly ErrorCode[],
}));
const nameOf = (status: RefusalStatus) => `Fehler${status}`;

/** Refusals that many operations have alike stand in the document once. */
const sharedRefusals = (publish: Publish): Json =>
  Object.fromEntries(ofAll.map(({ status, codes }) => [nameOf(status), refusal(status, codes, publish)]));

function refusals(operation: Operation, publish: Publish): Json {
  const declared = [...refusalsOf(operation)].map(([status, codes]) => {
    const shared = ofAll.find((each) => each.status === status)?.codes.length === codes.length;
    return [
      status,
      shared ? { $ref: `#/components/responses/${nameOf(status)}` } : refusal(status, codes, publish),
    ];
  });
  return {
    ...Object.fromEntries(declared),
    ...(mayBeInvalid(operation)
      ? { 422: { description: 'Validation Error', content: json(publish(HTTPValidationError)) } }
      : {}),
  };
}

/** Names what the answer says, for the next request for it. */
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an answer that is there already: if it would come again, 304 comes instead. An answer that differs only in ' +
    'the seconds of `gezaehlt_bis` and `daten_bis` counts as the same.',
  schema: { type: 'string', examples: ['W/"u0GJLHS_XAFvAmQlLbFcVFCEzVk"', '*'] },
};

const ETAG = {
  ETag: { description: 'Stands for what the answer says, for `If-None-Match`.', schema: { type: 'string' } },
};

/** What there is besides the success where an answer may be kept. */
const confirmed = (operation: Operation): Json =>
  mayBeKept(operation) ? { 304: { description: 'Unverändert', headers: ETAG } } : {};

/** A success in JSON, in other media types, or in both. */
function success(operation: Operation, publish: Publish): Json {
  const { response, media = ['application/json'] } = operation;
  const schemaOf = (type: string) =>
    type === 'application/json' ? publish(response) : { type: 'string', format: 'binary' };
  const content = Object.fromEntries(media.map((type) => [type, { schema: schemaOf(type) }]));
  return { description: 'Erfolg', ...(mayBeKept(operation) && { headers: ETAG }), content };
}

/** The other status with the body of the success; refusals with that status have their own body. */
const disturbed = ({ response }: Operation, publish: Publish): Json => ({
  description: 'Gestört',
  content: json({ anyOf: [publish(response), publish(Fehler)] }),
});

const firstSentenceOf = (text: string) => /^.*?[.;:](?=\s|$)/s.exec(text)?.[0].replace(/[;:]$/, '.') ?? text;

const describe = (operation: Operation, publish: Publish): Json => ({
  operationId: operation.id,
  // In both languages: lists show nothing else of an operation.
  summary: `${operation.summary} · ${firstSentenceOf(operation.description)}`,
  description: operation.description,
  tags: [tagNameOf(operation)],
  security: securityOf(operation.access),
  parameters: [
    ...parametersIn('path', operation.params, publish),
    ...parametersIn('query', operation.query, publish),
    ...parametersIn('header', operation.header, publish),
    ...(mayBeKept(operation) ? [IF_NONE_MATCH] : []),
  ],
  ...(operation.body ? { requestBody: { required: true, content: json(publish(operation.body)) } } : {}),
  responses: {
    ...refusals(operation, publish),
    [operation.status ?? 200]: success(operation, publish),
    ...confirmed(operation),
    ...(operation.emptyStatus === undefined
      ? {}
      : { [operation.emptyStatus]: { description: 'Angenommen, ohne Inhalt' } }),
    ...(operation.alsoStatus === undefined ? {} : { [operation.alsoStatus]: disturbed(operation, publish) }),
  },
});

const securitySchemes = {
  Schluessel: { type: 'http', scheme: 'bearer', description: 'API-Schlüssel' },
  SchluesselKopf: { type: 'apiKey', in: 'header', name: 'X-SVC-Key', description: 'API-Schlüssel' },
  SchluesselFremderKopf: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'API-Schlüssel' },
  SchluesselPasswort: { type: 'http', scheme: 'basic', description: 'API-Schlüssel als Name oder Passwort' },
  Sitzung: { type: 'apiKey', in: 'cookie', name: 'zw_sitzung', description: 'Sitzung des Cockpits' },
};

/** The document as a JSON value; operations on one path stand together. */
export function openapiDocument(operations: Operation[], info: DocumentInfo): object {
  const { serverUrl, ...about } = info;
  const paths: Record<string, Json> = {};
  const schemas: Record<string, Json> = {};
  const publish = createPublish(schemas);
  const ordered = inReadingOrder(operations);
  for (const operation of ordered) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, publish),
    };
  }
  return {
    openapi: '3.1.0',
    info: about,
    ...(serverUrl === undefined ? {} : { servers: [{ url: serverUrl }] }),
    tags: tagsOf(ordered),
    paths,
    components: { schemas, responses: sharedRefusals(publish), securitySchemes },
  };
}
