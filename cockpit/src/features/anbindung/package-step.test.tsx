/** How a program is connected: by a package, or by settings alone. */
import { expect, test } from 'vitest';
import { TARBALL } from '../../../packages/names.ts';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { packageExamples } from './packages.ts';

const basis = answerOf('cockpitAnbindung').adressen.basis;

test('a library is connected by a package, what emits OpenTelemetry by settings', async () => {
  const { user } = await openAt('/anbindung');
  const choice = await screen.findByRole('combobox', { name: 'Bibliothek oder Programm' });
  const lines = screen.getByText(/^curl -fO/, { selector: 'code' }).textContent;
  expect(lines).toBe(`curl -fO ${basis}/pakete/${TARBALL}\nnpm install ./${TARBALL}`);
  await user.selectOptions(choice, 'LangSmith');
  screen.getByText(/^Was schon OpenTelemetry sendet/);
  expect(screen.queryByText('Installieren')).toBeNull();
  screen.getByText(new RegExp(`LANGSMITH_ENDPOINT=${basis}`));
  await user.selectOptions(choice, screen.getByRole('option', { name: /^OpenTelemetry/ }));
  screen.getByText(/OTEL_RESOURCE_ATTRIBUTES="kundennummer=kunde-a,feature=/);
});

test('every example without a package has the address and the key', () => {
  const settings = packageExamples.filter(({ install }) => install === null);
  expect(settings.length).toBeGreaterThan(2);
  for (const { code } of settings) {
    const names = { endkunde: 'customer', funktion: 'feature', projekt: 'project' };
    const text = code({ basis: 'https://zw.example.org', key: 'zw_live_x', names });
    expect(text).toContain('https://zw.example.org');
    expect(text).toContain('zw_live_x');
  }
});
