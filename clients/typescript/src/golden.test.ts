/** The converters beside the golden files, which those of the other package are held to as well. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ereignis, Exchange } from './event.ts';
import { toEvents } from './to-events.ts';

interface Golden {
  name: string;
  exchange: Exchange;
  events: Ereignis[];
  unconverted?: string[];
}

const FOLDER = join(import.meta.dirname, '../../golden');
const OTHERS = new Set(['ids.json', 'fingerprints.json']);
const NOW = new Date('2026-11-26T12:00:00Z');

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json') && !OTHERS.has(file));

test.each(files)('%s', (file) => {
  expect(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')).length).toBeGreaterThan(3);
});

describe.each(files)('%s', (file) => {
  const cases = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Golden[];

  test.each(cases)('$name', ({ exchange, events, unconverted }) => {
    expect(toEvents(exchange, NOW)).toStrictEqual({ events, unconverted: unconverted ?? [] });
  });
});
