/** Coding agents: settings that can be taken as they are, and what subscriptions pay for. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { CODING_AGENTS, isOfCodingAgent } from './coding-agents.ts';

const basis = answerOf('cockpitAnbindung').adressen.basis;
const target = {
  basis: 'https://zw.example.org',
  key: 'zw_live_x',
  attributes: { repository: 'shop', subscription: 'true' },
};

test.each(CODING_AGENTS)(
  '$label gets address, key and attributes, whatever of them stands in which file',
  ({ settings }) => {
    const all = settings.map(({ code }) => code(target)).join('\n');
    expect(all).toContain('https://zw.example.org');
    expect(all).toContain('Bearer zw_live_x');
    expect(all).toMatch(/repository=shop,subscription=true/);
    expect(settings.some(({ name }) => name === 'team')).toBe(true);
    for (const { file, code } of settings)
      if (file?.endsWith('.json')) expect(() => JSON.parse(code(target)), file).not.toThrow();
  },
);

test.each([
  ['com.anthropic.claude_code.events', true],
  ['codex_exec', true],
  ['gemini-cli', true],
  ['github.copilot', true],
  ['opencode', true],
  ['com.anthropic.sdk.python', false],
  ['', false],
])('%s is one of them: %s', (bibliothek, is) => {
  expect(isOfCodingAgent({ bibliothek })).toBe(is);
});

test('what is typed stands in the settings of every agent', async () => {
  const { user } = await openAt('/anbindung/coding-agents');
  await user.type(await screen.findByRole('textbox', { name: 'Repository' }), 'mein shop');
  await user.type(screen.getByRole('textbox', { name: /^Endkunde/ }), 'acme');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Wer bezahlt' }), 'Ein Abonnement');
  // The own name of the attribute goes first.
  screen.getByText(/"repository=mein-shop,kundennummer=acme,subscription=true"/);
  await user.click(screen.getByRole('tab', { name: 'Codex CLI' }));
  expect(screen.getAllByText(new RegExp(`endpoint = "${basis}/v1/logs"`)).length).toBeGreaterThan(0);
  screen.getByText(/OTEL_RESOURCE_ATTRIBUTES="repository=mein-shop,kundennummer=acme,subscription=true"/);
});

test('subscriptions are passed on where that is wished', async () => {
  const { user, sent } = await openAt('/anbindung/coding-agents');
  await user.click(await screen.findByLabelText('Abonnements zum Listenpreis weiterbelasten'));
  await screen.findByText('Gespeichert.');
  expect(sent('zuordnungSetzen')).toMatchObject([
    { abo_weiterbelasten: true, endkunde_namen: ['kundennummer'] },
  ]);
});

test('own names of attributes are typed with commas between them', async () => {
  const { user, sent } = await openAt('/anbindung');
  const field = await screen.findByRole('textbox', { name: 'Endkunde' });
  await user.clear(field);
  await user.type(field, 'kundennummer, kunde');
  const [save] = screen.getAllByRole('button', { name: 'Speichern' });
  await user.click(save as HTMLElement);
  await screen.findByText('Gespeichert.');
  expect(sent('zuordnungSetzen')).toMatchObject([{ endkunde_namen: ['kundennummer', 'kunde'] }]);
});

test('keys of own dimensions keep their places', async () => {
  const { user, sent } = await openAt('/anbindung');
  await user.type(await screen.findByRole('textbox', { name: 'merkmal_3' }), 'umgebung');
  const [, save] = screen.getAllByRole('button', { name: 'Speichern' });
  await user.click(save as HTMLElement);
  await screen.findByText('Gespeichert.');
  expect(sent('zuordnungSetzen')).toMatchObject([{ merkmale: ['team', '', 'umgebung'] }]);
});
