import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileRegistry, fromBinary, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from './json.ts';
import { checkOutline, readProtobuf } from './protobuf.ts';
import { LIMITS, type OtlpRecord, TooMuch, Unreadable } from './record.ts';

const descriptors = readFileSync(join(import.meta.dirname, '../testdata/otlp.desc'));
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));

const REQUESTS = {
  span: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
  log: 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest',
} as const;

/** The bytes that the library makes of a request in the JSON of Protocol Buffers, whose ids are Base64. */
function encode(signal: OtlpRecord['signal'], request: unknown): Buffer {
  const type = registry.getMessage(REQUESTS[signal]);
  if (!type) throw new Error('no such message');
  return Buffer.from(toBinary(type, fromJson(type, request as JsonValue)));
}

/** The same request with ids as OTLP has them. */
const withHex = (request: unknown): unknown =>
  JSON.parse(JSON.stringify(request), (name, value) =>
    /^(traceId|spanId|parentSpanId)$/.test(name) ? Buffer.from(value, 'base64').toString('hex') : value,
  );

const pair = (any: fc.Arbitrary<unknown>) =>
  fc.record({ key: fc.string({ minLength: 1, maxLength: 20 }), value: any });
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.record({ stringValue: fc.string({ unit: 'binary', maxLength: 60 }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.maxSafeInteger().map(String) }),
    fc.record({ doubleValue: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('any'), { maxLength: 3 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(pair(tie('any')), { maxLength: 3 }) }) }),
  ),
})).any;
const attributes = fc.array(pair(value), { maxLength: 6 });
const id = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => Buffer.from(each).toString('base64'));
const time = fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String);
const text = fc.string({ unit: 'binary', maxLength: 30 });

const span = fc.record({
  traceId: id(16),
  spanId: id(8),
  parentSpanId: id(8),
  name: text,
  kind: fc.constantFrom(0, 1, 3),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  droppedAttributesCount: fc.nat(),
  events: fc.array(fc.record({ timeUnixNano: time, name: text, attributes }), { maxLength: 2 }),
  links: fc.array(fc.record({ traceId: id(16), spanId: id(8) }), { maxLength: 1 }),
  status: fc.record({ code: fc.constantFrom(0, 1, 2), message: text }),
  flags: fc.nat(),
});
const log = fc.record({
  timeUnixNano: time,
  observedTimeUnixNano: time,
  severityNumber: fc.constantFrom(0, 9, 17),
  severityText: text,
  body: value,
  attributes,
  traceId: id(16),
  spanId: id(8),
  eventName: text,
});

const request = (resources: string, scopes: string, records: string, record: fc.Arbitrary<unknown>) =>
  fc.record({
    [resources]: fc.array(
      fc.record({
        resource: fc.record({ attributes }),
        [scopes]: fc.array(
          fc.record({
            scope: fc.record({ name: text, version: text }),
            [records]: fc.array(record, { maxLength: 3 }),
          }),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 2 },
    ),
  });

describe('what the library writes', () => {
  const kinds = [
    ['span', request('resourceSpans', 'scopeSpans', 'spans', span)],
    ['log', request('resourceLogs', 'scopeLogs', 'logRecords', log)],
  ] as const;
  it.each(kinds)('is read as its JSON is: %s', (signal, requests) => {
    fc.assert(
      fc.property(requests, (sent) => {
        expect(readProtobuf(encode(signal, sent), signal)).toEqual(readJson(withHex(sent), signal));
      }),
    );
  });
});

describe('hostile bytes', () => {
  it('are read or refused, whatever they are', () => {
    const real = encode('span', {
      resourceSpans: [
        { scopeSpans: [{ spans: [{ name: 'chat', attributes: [{ key: 'a', value: { intValue: 1 } }] }] }] },
      ],
    });
    const changed = fc.tuple(fc.nat(real.length - 1), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(real);
      bytes[at] = byte;
      return bytes;
    });
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
      changed,
    );
    fc.assert(
      fc.property(any, fc.constantFrom('span' as const, 'log' as const), (bytes, signal) => {
        try {
          readProtobuf(bytes, signal);
          checkOutline(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
    );
  });

  it('nested beyond reason are refused', () => {
    let deep: unknown = { stringValue: 'x' };
    for (let level = 0; level < LIMITS.depth + 2; level += 1) deep = { arrayValue: { values: [deep] } };
    const sent = {
      resourceSpans: [{ scopeSpans: [{ spans: [{ attributes: [{ key: 'a', value: deep }] }] }] }],
    };
    expect(() => readProtobuf(encode('span', sent), 'span')).toThrow(Unreadable);
    expect(() => readJson(sent, 'span')).toThrow(Unreadable);
  });

  it('with too many records or attributes are refused', () => {
    const spans = Array.from({ length: LIMITS.records + 1 }, () => ({}));
    const many = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    expect(() => readProtobuf(encode('span', many), 'span')).toThrow(TooMuch);
    expect(() => readJson(many, 'span')).toThrow(TooMuch);
    const attribute = { key: 'a', value: { boolValue: true } };
    const wide = {
      resourceSpans: [
        { scopeSpans: [{ spans: [{ attributes: Array(LIMITS.attributes + 1).fill(attribute) }] }] },
      ],
    };
    expect(() => readProtobuf(encode('span', wide), 'span')).toThrow(TooMuch);
    expect(() => readJson(wide, 'span')).toThrow(TooMuch);
  });

  it('a name of JavaScript’s own is a name', () => {
    const attributes = [{ key: '__proto__', value: { stringValue: 'x' } }];
    const sent = { resourceSpans: [{ scopeSpans: [{ spans: [{ attributes }] }] }] };
    for (const [record] of [readProtobuf(encode('span', sent), 'span'), readJson(sent, 'span')])
      expect(Object.entries(record?.attributes ?? {})).toEqual([['__proto__', 'x']]);
  });
});

it('numbers in JSON may be numbers or texts', () => {
  const span = (intValue: unknown, startTimeUnixNano: unknown) => ({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ startTimeUnixNano, attributes: [{ key: 'a', value: { intValue } }] }] }] },
    ],
  });
  expect(readJson(span(12, '1795685962797000000'), 'span')).toEqual(
    readJson(span('12', 1_795_685_962_797_000_000), 'span'),
  );
});
