/** The operations as `/openapi.json` describes them: all that somebody from outside knows of the service. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** A schema of the document. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

interface Response {
  $ref?: string;
  headers?: Record<string, { schema: Schema }>;
  content?: Record<string, { schema: Schema }>;
}

export interface DescribedOperation {
  operationId: string;
  method: string;
  path: string;
  /** Names of the ways to prove who one is, each of them enough; empty for public operations. */
  security: string[];
  parameters: Parameter[];
  /** Of a body in JSON. */
  body: Schema | null;
  responses: Record<string, Response>;
}

export interface Description {
  operations: DescribedOperation[];
  resolve(schema: Schema): Schema;
  /** What is wrong with an answer; null when it is as described. Of a path without operation: null for `operation`. */
  faultOf(operation: DescribedOperation | null, answer: GivenAnswer): string | null;
}

interface GivenAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

interface OpenApi {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

const NAME = /^#\/components\/(\w+)\/(.+)$/;

function operationsOf({ paths }: OpenApi): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { security, requestBody, ...rest } = described as {
        security: Record<string, unknown>[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      } & Pick<DescribedOperation, 'operationId' | 'parameters' | 'responses'>;
      return {
        ...rest,
        method: method.toUpperCase(),
        path,
        security: security.flatMap((way) => Object.keys(way)),
        body: requestBody?.content['application/json']?.schema ?? null,
      };
    }),
  );
}

/** Makes the check of values by schemas of the document. */
function createCheck(document: OpenApi): (schema: Schema, value: unknown) => string | null {
  // The names of the document are those of OpenAPI: what is no keyword of JSON Schema is left alone.
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajvFormats.default(ajv);
  const named = (schema: unknown): string =>
    JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  // Known by name, each is compiled once, whatever refers to it.
  ajv.addSchema({ $id: 'document', components: JSON.parse(named(document.components)) });
  // By text: most operations refuse in the same words.
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = named(schema);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
}

/** Reads the document. */
export function readDescription(document: OpenApi): Description {
  const check = createCheck(document);
  const named = <T>(reference: string): T => {
    const [, kind, name] = NAME.exec(reference) ?? [];
    return (document.components as unknown as Record<string, Record<string, T>>)[kind as string]?.[
      name as string
    ] as T;
  };
  const faultOfBody = (schema: Schema | undefined, body: string): string | null =>
    schema === undefined ? 'a body of an undescribed type' : check(schema, JSON.parse(body));
  const faultOfHeaders = (response: Response, headers: GivenAnswer['headers']): string | null => {
    for (const [name, { schema }] of Object.entries(response.headers ?? {})) {
      const value = headers[name.toLowerCase()];
      const fault =
        value === undefined ? 'is missing' : check(schema, schema.type === 'string' ? value : Number(value));
      if (fault !== null) return `the header ${name}: ${fault}`;
    }
    return null;
  };
  return {
    operations: operationsOf(document),
    resolve: (schema) => (schema.$ref ? named<Schema>(schema.$ref) : schema),
    faultOf(operation, { status, headers, body }) {
      const type = String(headers['content-type'] ?? '').split(';')[0] as string;
      if (!operation) return faultOfBody({ $ref: '#/components/schemas/Fehler' }, body);
      const described = operation.responses[status];
      if (!described) return 'an undescribed status';
      const response = described.$ref ? named<Response>(described.$ref) : described;
      if (!response.content && body === '') return faultOfHeaders(response, headers);
      const content = response.content?.[type];
      if (!content) return `an undescribed content type: ${type}`;
      return (
        faultOfHeaders(response, headers) ??
        (type === 'application/json' ? faultOfBody(content.schema, body) : null)
      );
    },
  };
}
