/** Imports: what a preview says and asks, what came of one, and whether a file can be read. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { refused } from '../../../test/service.ts';
import type { ImportEinzeln } from '../../api/types.ts';

const ID = '0190a000-0000-7000-8000-000000000001';
const PAGE = `/anbindung/importe/${ID}`;
const one = (said: Partial<ImportEinzeln>) =>
  answerOf('importEinzeln', {
    ...{ aufrufe: 1_000, bekannt: 20, zuruecknehmbar: 0, geblieben: null },
    ...{ angewendet_am: null, beendet_am: null, zurueckgenommen_am: null },
    ...said,
  });

test('a preview says what is counted already and what is in closed months, before anything is counted', async () => {
  const monate = [
    { monat: '2026-04', aufrufe: 700, geschlossen: false },
    { monat: '2026-03', aufrufe: 300, geschlossen: true },
  ];
  const { user, calls } = await openAt(PAGE, {
    answers: { importEinzeln: one({ status: 'bereit', monate, bekannt_telemetrie: 15 }) },
  });
  await screen.findByText('zählen nicht noch einmal, 15 davon aus der Telemetrie von Claude Code');
  await user.click(await screen.findByRole('button', { name: 'Zählen' }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/980 Aufrufe werden gezählt/);
  dialog.getByText(/20 Aufrufe sind schon gezählt/);
  dialog.getByText(/300 Aufrufe liegen in abgeschlossenen Monaten/);
  await user.click(dialog.getByRole('button', { name: 'Zählen' }));
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('importAnwenden'));
});

test('one that is counted says how far it is', async () => {
  const counted = { status: 'laeuft', gezaehlt: 250, angewendet_am: '2026-11-20T10:00:00Z' } as const;
  await openAt(PAGE, { answers: { importEinzeln: one(counted) } });
  await screen.findByText(/250 von 1\.000 Aufrufen/);
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('0.25');
  expect(screen.queryByRole('button', { name: 'Zurücknehmen' })).toBeNull();
});

test('taking back says how many go and how many stay', async () => {
  const { user, calls } = await openAt(PAGE, {
    answers: {
      importEinzeln: one({
        status: 'fertig',
        angewendet_am: '2026-11-20T10:00:00Z',
        angenommen: 980,
        zuruecknehmbar: 900,
      }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Zurücknehmen' }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/900 Aufrufe verschwinden/);
  dialog.getByText(/80 Aufrufe bleiben/);
  await user.click(dialog.getByRole('button', { name: 'Zurücknehmen' }));
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('importZuruecknehmen'));
});

test.each([
  [
    { status: 'zurueckgenommen', angenommen: 10, zurueckgenommen: 7, geblieben: 2 },
    /7 Aufrufe\..*2 Aufrufe bleiben.*1 Aufruf bleibt/,
  ],
  [
    { status: 'fehlgeschlagen', angenommen: 10 },
    /Ein Fehler des Dienstes hat den Import beendet\. 10 Aufrufe sind gezählt/,
  ],
  [{ status: 'bereit', aufrufe: 0 }, /kein Aufruf, der gezählt werden kann/],
  [{ status: 'liest' }, /Das Lesen der Datei ist nicht zu Ende/],
] as const)('what came of it is said: %j', async (said, text) => {
  await openAt(PAGE, { answers: { importEinzeln: one(said) } });
  await screen.findByText(text);
});

const ROW = {
  request_id: 'chatcmpl-BkzQ8x1TjM4cW7pN2rVf00001',
  call_type: 'acompletion',
  custom_llm_provider: 'openai',
  model: 'gpt-4o-mini',
  prompt_tokens: 1,
  startTime: '2026-03-02 10:00:00',
};

async function choose(text: string, answers: object = {}) {
  const opened = await openAt('/anbindung/importe', {
    answers: { importe: answerOf('importe', { importe: [] }), ...answers },
  });
  const field = await screen.findByLabelText('Datei');
  await opened.user.upload(field, new File([text], 'spend.json', { type: 'application/json' }));
  return opened;
}

test('a file is read, handed in and shown', async () => {
  const { sent, address } = await choose(JSON.stringify([ROW]));
  await waitFor(() => expect(address()).toContain(`/anbindung/importe/${ID}`));
  expect(sent('importAnlegen')).toMatchObject([{ datei: 'spend.json' }]);
  expect(sent('importTeil')).toMatchObject([{ ereignisse: [{ modell: 'gpt-4o-mini' }] }]);
  expect(sent('importAbschliessen')).toMatchObject([{ dienst: 'LiteLLM', zeilen: 1 }]);
});

test('a file of no known service begins nothing; what breaks off is discarded', async () => {
  const first = await choose('{"a": 1}');
  await screen.findByText(/Die Datei ist von keinem bekannten Dienst/);
  expect(first.sent('importAnlegen')).toEqual([]);
  document.body.replaceChildren();
  const second = await choose(JSON.stringify([ROW]), { importTeil: refused(409, 'import_nicht_bereit') });
  await waitFor(() => expect(second.calls.map(({ name }) => name)).toContain('importVerwerfen'));
});

test('a file can be chosen once it is known for which key', async () => {
  const known = Promise.withResolvers<void>();
  const cockpitAnbindung = () => known.promise.then(() => answerOf('cockpitAnbindung'));
  await openAt('/anbindung/importe', { answers: { cockpitAnbindung } });
  await screen.findByText('Datei lesen');
  expect(screen.queryByLabelText('Datei')).toBeNull();
  known.resolve();
  await screen.findByLabelText('Datei');
});
