import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../error-codes.ts';
import {
  component,
  decimalInput,
  field,
  formed,
  freeData,
  integer,
  nullable,
  type Operation,
  oneOf,
  openapiDocument,
  operation,
  optional,
  preset,
  record,
  secret,
  Type,
  text,
  uuid,
} from './index.ts';

const read = operation({
  id: 'ding.lesen',
  method: 'GET',
  path: '/v1/dinge/{ding_id}',
  summary: 'Liest ein Ding.',
  description: 'Reads a thing.',
  access: { kind: 'key', scope: 'Lesen' },
  refuses: { 409: ['schon_gebucht'] },
  params: Type.Object({ ding_id: uuid() }),
  query: Type.Object({
    limit: preset(field(integer({ min: 1, max: 9 }), 'How many.', 7), 5),
    art: oneOf('a', 'b'),
    zeitraum: Type.Optional(formed('^a|b$', 9)),
  }),
  header: Type.Object({ 'x-spur': Type.Optional(text()) }),
  response: Type.Object({ ding_id: uuid() }),
});

const change = operation({
  id: 'ding.aendern',
  method: 'PUT',
  path: '/v1/dinge/{ding_id}',
  summary: 'Ändert ein Ding.',
  description: 'Changes a thing.',
  access: { kind: 'session', right: 'selbst' },
  params: Type.Object({ ding_id: uuid() }),
  body: Type.Object({
    betrag: optional(decimalInput({ min: '0', max: '10' })),
    geheim: Type.Optional(secret({ min: 10 })),
    zusatz: optional(record()),
    frei: freeData('Frei', 'Free data.', { stufe: field(nullable(text()), 'The tier.') }),
  }),
  status: 201,
  response: Type.Object({}),
});

const Teil = component('Teil', 'A part.', { name: field(text(), 'Its name.', 'Zähler') });
const Zustand = component('Zustand', 'The state.', {
  teil: field(Teil, 'The main part.'),
  teile: field(Type.Array(Teil), 'All parts.'),
  letztes: field(nullable(Teil), 'The last one; null when there is none.'),
});

const status = operation({
  id: 'system.status',
  method: 'GET',
  path: '/v1/status',
  summary: 'Zustand.',
  description: 'State.',
  access: { kind: 'public' },
  alsoStatus: 503,
  response: Zustand,
});

interface Shown {
  parameters: object[];
  security: object[];
  requestBody?: { content: object };
  responses: Record<string, object>;
}

const info = {
  title: 'Dinge',
  version: '0.1.0',
  description: 'Alles über Dinge.',
  serverUrl: 'http://localhost:8080',
};
const document = openapiDocument([read, change, status] as Operation[], info) as {
  paths: Record<string, Record<string, Shown>>;
  components: { schemas: Record<string, object>; responses: Record<string, object> };
};
/** Statuses of any operation. */
const COMMON = ['400', '408', '413', '421', '429', '431', '500', '503'];
const shown = (path: string, method: string) => document.paths[path]?.[method] as Shown;

describe('the document', () => {
  it('names itself and its server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Dinge', version: '0.1.0', description: 'Alles über Dinge.' },
      servers: [{ url: 'http://localhost:8080' }],
    });
  });

  it('has both operations of a path', () => {
    expect(Object.keys(document.paths)).toEqual(['/v1/dinge/{ding_id}', '/v1/status']);
    expect(shown('/v1/dinge/{ding_id}', 'get')).toMatchObject({
      operationId: 'ding.lesen',
      summary: 'Liest ein Ding. · Reads a thing.',
      description: 'Reads a thing.',
    });
    expect(shown('/v1/dinge/{ding_id}', 'put')).toMatchObject({ operationId: 'ding.aendern' });
  });

  it('describes parameters', () => {
    expect(shown('/v1/dinge/{ding_id}', 'get').parameters).toEqual([
      { name: 'ding_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many.',
        schema: { type: 'integer', minimum: 1, maximum: 9, default: 5, examples: [7] },
      },
      { name: 'art', in: 'query', required: true, schema: { type: 'string', enum: ['a', 'b'] } },
      {
        name: 'zeitraum',
        in: 'query',
        required: false,
        schema: { type: 'string', maxLength: 9, pattern: '^a|b$' },
      },
      { name: 'x-spur', in: 'header', required: false, schema: { type: 'string' } },
      expect.objectContaining({ name: 'If-None-Match', in: 'header', required: false }),
    ]);
  });

  it('describes bodies in JSON Schema alone', () => {
    expect(shown('/v1/dinge/{ding_id}', 'put').requestBody?.content).toEqual({
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            betrag: {
              anyOf: [{ type: 'number', minimum: 0, maximum: 10 }, { type: 'string' }, { type: 'null' }],
            },
            geheim: { type: 'string', minLength: 10, format: 'password', writeOnly: true },
            zusatz: { anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }] },
            frei: { $ref: '#/components/schemas/Frei' },
          },
          required: ['frei'],
        },
      },
    });
    expect(document.components.schemas.Frei).toEqual({
      title: 'Frei',
      description: 'Free data.',
      type: 'object',
      additionalProperties: true,
      properties: { stufe: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'The tier.' } },
    });
    expect(JSON.stringify(document)).not.toMatch(/x-kind|x-bounds|x-known|~/);
  });

  it.each([
    [
      '/v1/dinge/{ding_id}',
      'get',
      ['200', '304', ...COMMON, '401', '403', '404', '409', '422'],
      [{ Schluessel: [] }],
    ],
    ['/v1/dinge/{ding_id}', 'put', ['201', ...COMMON, '401', '403', '404', '415', '422'], [{ Sitzung: [] }]],
    ['/v1/status', 'get', ['200', ...COMMON], []],
  ])('%s %s: credentials and the answers that can occur', (path, method, answers, security) => {
    expect(Object.keys(shown(path, method).responses).sort()).toEqual(answers.sort());
    expect(shown(path, method).security).toEqual(security);
  });

  it('names the codes of a refusal; what all operations have alike stands there once', () => {
    const { responses } = shown('/v1/dinge/{ding_id}', 'get');
    expect(responses['409']).toMatchObject({
      description: expect.stringContaining('`schon_gebucht`'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Fehler' } } },
    });
    expect(responses['408']).toEqual({ $ref: '#/components/responses/Fehler408' });
    expect(document.components.responses.Fehler503).toMatchObject({
      description: expect.stringContaining('`datenbank_weg`'),
      headers: { 'Retry-After': { schema: { type: 'integer' } } },
    });
    expect(JSON.stringify(document)).not.toContain('"default":{');
  });

  it('promises no time to come back where another status has the body of the success', () => {
    const { responses } = shown('/v1/status', 'get');
    expect(responses['503']).toHaveProperty('content');
    expect(responses['503']).not.toHaveProperty('headers');
  });

  it('shows the form of a text that the domain reads', () => {
    const zeitraum = shown('/v1/dinge/{ding_id}', 'get').parameters[3];
    expect(zeitraum).toMatchObject({ schema: { type: 'string', pattern: '^a|b$', maxLength: 9 } });
  });

  it('refers to components, each described once', () => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Zustand' } } };
    expect(shown('/v1/status', 'get').responses['200']).toEqual({ description: 'Erfolg', content });
    expect(shown('/v1/status', 'get').responses['503']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            anyOf: [{ $ref: '#/components/schemas/Zustand' }, { $ref: '#/components/schemas/Fehler' }],
          },
        },
      },
    });
    const part = { $ref: '#/components/schemas/Teil' };
    expect(document.components.schemas).toMatchObject({
      Zustand: {
        type: 'object',
        title: 'Zustand',
        description: 'The state.',
        required: ['teil', 'teile', 'letztes'],
        properties: {
          teil: { ...part, description: 'The main part.' },
          teile: { type: 'array', items: part, description: 'All parts.' },
          letztes: { anyOf: [part, { type: 'null' }] },
        },
      },
      Teil: {
        description: 'A part.',
        properties: { name: { type: 'string', description: 'Its name.', examples: ['Zähler'] } },
      },
    });
  });

  it('is not made of two components with one name', () => {
    const other = { ...status, path: '/v1/anders', response: component('Teil', 'Another part.', {}) };
    expect(() => openapiDocument([status, other] as Operation[], info)).toThrow('Teil');
  });

  it('lists every code of an error', () => {
    const { code } = (document.components.schemas.Fehler as { properties: { code: { enum: string[] } } })
      .properties;
    expect(code.enum).toEqual(Object.keys(ERROR_CODES));
  });

  it('explains the 422 answer as FastAPI does', () => {
    expect(document).toMatchObject({
      components: {
        schemas: {
          HTTPValidationError: {
            properties: { detail: { items: { $ref: '#/components/schemas/ValidationError' } } },
          },
          ValidationError: { required: ['loc', 'msg', 'type'] },
        },
        securitySchemes: {
          Schluessel: { type: 'http', scheme: 'bearer' },
          SchluesselKopf: { type: 'apiKey', in: 'header', name: 'X-SVC-Key' },
          Sitzung: { type: 'apiKey', in: 'cookie', name: 'zw_sitzung' },
        },
      },
    });
  });
});
