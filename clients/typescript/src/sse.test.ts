import { expect, test } from 'vitest';
import { isSse, sseData } from './sse.ts';

test('events end at blank lines, whatever the line ends are', () => {
  expect(sseData('data: a\n\ndata: b\r\n\r\ndata: c\r\r')).toEqual(['a', 'b', 'c']);
});

test('several data lines are one event; comments, names and ids are not data', () => {
  expect(sseData(': hello\nevent: x\nid: 1\ndata: one\ndata:two\n\n\n')).toEqual(['one\ntwo']);
});

test('one blank after the colon belongs to the format, further ones to the data', () => {
  expect(sseData('data:  a\n\n')).toEqual([' a']);
});

test('an event that the end cuts off is kept, a byte-order mark is not', () => {
  expect(sseData('\uFEFFdata: a\n\ndata: b')).toEqual(['a', 'b']);
});

test('tells a stream from other text', () => {
  expect(isSse(': ping\n\ndata: {}\n\n')).toBe(true);
  expect(isSse('{"data: ":1}')).toBe(false);
});
