import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

const EINTRAG = {
  eintrag_id: '01940000-0000-7000-8000-000000000001',
  zeitpunkt: '2026-05-01T10:00:00.123Z',
  akteur: { art: 'benutzer' as const, id: '01940000-0000-7000-8000-000000000002', name: 'anna@example.org' },
  aktion: 'schluessel.angelegt',
  objekt: { art: 'schluessel', id: '7', name: 'standard' },
  vorher: null,
  nachher: { name: 'standard' },
  adresse: '127.0.0.1',
};

/** Decoding a stream as text would drop the BOM. */
const csvOf = async (eintraege: (typeof EINTRAG)[]) =>
  (await buffer(toCsv(eintraege, 'Europe/Berlin'))).toString();

const named = async (name: string) => {
  const csv = await csvOf([{ ...EINTRAG, objekt: { ...EINTRAG.objekt, name } }]);
  const line = csv.slice(csv.indexOf('\r\n') + 2);
  return line.slice(
    line.indexOf(EINTRAG.akteur.id) + EINTRAG.akteur.id.length + 1,
    line.indexOf(';schluessel;'),
  );
};

describe('the audit log as CSV', () => {
  it('has a BOM, German heads, semicolons and CRLF, and both times', async () => {
    expect(await csvOf([EINTRAG])).toBe(
      '\ufeffZeitpunkt;Zeitpunkt (UTC);Aktion;Wer;Art des Akteurs;Kennung des Akteurs;Objekt;Art des Objekts;' +
        'Kennung des Objekts;Vorher;Nachher;Netzadresse;Eintrag\r\n' +
        '2026-05-01 12:00:00;2026-05-01T10:00:00.123Z;schluessel.angelegt;anna@example.org;benutzer;' +
        '01940000-0000-7000-8000-000000000002;standard;schluessel;7;;"{""name"":""standard""}";127.0.0.1;' +
        '01940000-0000-7000-8000-000000000001\r\n',
    );
  });

  it('keeps its heads without entries', async () => {
    expect(await csvOf([])).toMatch(/^\ufeffZeitpunkt;[^\n]*;Eintrag\r\n$/);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-12,50', "'-12,50"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x";"y")', '"\'=HYPERLINK(""http://x"";""y"")"'],
    ['a=1', 'a=1'],
    ["'=1", "'=1"],
    ['zwei\nZeilen', '"zwei\nZeilen"'],
    ['a;b', '"a;b"'],
  ])('%j becomes %j', async (name, cell) => {
    expect(await named(name)).toBe(cell);
  });
});
