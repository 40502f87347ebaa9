/** Parts of the kit by themselves: what somebody does to them, and what they hand on. */
import { fireEvent, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { screen, show } from '../../test/open.tsx';
import { ApiError } from '../api/error.ts';
import { ConfirmDialog, Consequences } from './confirm-dialog.tsx';
import { CsvField, CsvRefusal, readCsv } from './csv-field.tsx';
import { DayField } from './day-field.tsx';
import { CheckField, SelectField, TextField } from './field.tsx';
import { FilterField } from './filter-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { Tabs } from './tabs.tsx';

test('hint and fault are read out with their field', async () => {
  await show(
    <>
      <TextField label="Name" hint="Wie er heißt." error="Bitte ausfüllen." />
      <CheckField label="Gilt" error="Muss gelten." />
      <SelectField
        label="Art"
        error="Fehlt."
        options={[{ value: 'a', label: 'A' }]}
        onChange={() => undefined}
      />
    </>,
  );
  const described = (label: string) => {
    const ids = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent);
  };
  expect(described('Name')).toEqual(['Wie er heißt.', 'Bitte ausfüllen.']);
  expect(described('Gilt')).toEqual(['Muss gelten.']);
  expect(described('Art')).toEqual(['Fehlt.']);
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
});

function Filtered({ onChange }: { onChange: (text: string) => void }) {
  const [value, setValue] = useState('zuvor');
  return (
    <>
      <FilterField
        label="Suchen"
        value={value}
        onChange={(text) => {
          onChange(text);
          setValue(text);
        }}
      />
      <button type="button" onClick={() => setValue('')}>
        zurück
      </button>
    </>
  );
}

test('a filter hands on what was typed after a pause, on Enter, when it is left, and at once when it is emptied', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const taken: string[] = [];
  const { user } = await show(<Filtered onChange={(text) => taken.push(text)} />);
  const field = screen.getByRole('searchbox', { name: 'Suchen' });
  for (const text of ['b', 'be', 'bel']) fireEvent.change(field, { target: { value: text } });
  expect(taken).toEqual([]);
  expect(field).toHaveProperty('value', 'bel');
  await vi.advanceTimersByTimeAsync(300);
  expect(taken).toEqual(['bel']);
  fireEvent.change(field, { target: { value: 'beleg' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(taken).toEqual(['bel', 'beleg']);
  fireEvent.change(field, { target: { value: 'x' } });
  fireEvent.blur(field);
  fireEvent.change(field, { target: { value: '' } });
  expect(taken).toEqual(['bel', 'beleg', 'x', '']);
  // What is reset otherwise wins over what was just typed.
  fireEvent.change(field, { target: { value: 'niemand' } });
  fireEvent.blur(field);
  await user.click(screen.getByRole('button', { name: 'zurück' }));
  expect(field).toHaveProperty('value', '');
});

function Day({ onChange }: { onChange: (day: string) => void }) {
  const [value, setValue] = useState('');
  return (
    <DayField
      label="Bis"
      value={value}
      max="2026-11-30"
      onChange={(day) => {
        onChange(day);
        setValue(day);
      }}
    />
  );
}

test('a day is typed as it is written in German; what is none is said once the field is left', async () => {
  const taken: string[] = [];
  const { user } = await show(<Day onChange={(day) => taken.push(day)} />);
  const field = screen.getByRole('textbox', { name: 'Bis' });
  await user.type(field, '31.02.2020');
  expect(screen.queryByText(/Bitte einen Tag/)).toBeNull();
  await user.tab();
  await screen.findByText('Bitte einen Tag wie 26.11.2026 angeben.');
  await user.clear(field);
  await user.type(field, '1.1.2020');
  await user.tab();
  expect(field).toHaveProperty('value', '01.01.2020');
  expect(taken.at(-1)).toBe('2020-01-01');
  await user.clear(field);
  await user.type(field, '1.12.2026');
  await user.tab();
  await screen.findByText(/30\.11\.2026/);
  expect(taken.at(-1)).toBe('');
});

test('a file is chosen, and again once it is mended; why it is not taken is said by line and column', async () => {
  const taken: string[] = [];
  const { user } = await show(<CsvField onChoose={async (file) => void taken.push(await readCsv(file))} />);
  const field = screen.getByLabelText('CSV-Datei');
  await user.upload(field, new File(['ä;b'], 'preise.csv', { type: 'text/csv' }));
  await screen.findByText('preise.csv');
  // As spreadsheets write it that know no UTF-8.
  await user.upload(
    field,
    new File([new Uint8Array([0xe4, 0x3b, 0x62])], 'preise.csv', { type: 'text/csv' }),
  );
  await waitFor(() => expect(taken).toEqual(['ä;b', 'ä;b']));
  const faults = [
    { loc: ['body', 'csv', 3, 'eingabe'], msg: '', type: 'value_error', ctx: { error: 'keine Zahl' } },
    { loc: ['body', 'csv'], msg: '', type: 'string_too_long' },
  ];
  await show(
    <CsvRefusal error={new ApiError({ status: 422, code: '', detail: '', faults })} tooLarge="Zu groß." />,
  );
  screen.getByText('2 Fehler in der Datei. Sie wurde nicht verwendet.');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Zeile 3, Spalte eingabe: Keine Zahl.',
    'Zu groß.',
  ]);
});

function Asking({ onConfirm }: { onConfirm: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <h1>Seite</h1>
      <button type="button" onClick={() => setOpen(true)}>
        Entfernen …
      </button>
      {open && (
        <ConfirmDialog
          title="Entfernen?"
          confirm="Entfernen"
          onConfirm={onConfirm}
          onClose={() => setOpen(false)}
          error={new ApiError({ status: 500, code: '', detail: 'Geht gerade nicht.' })}
        >
          <Consequences points={['Weg ist weg.']} />
        </ConfirmDialog>
      )}
    </main>
  );
}

test('before harm is done the focus is on what does none; Escape leaves, and the focus returns', async () => {
  const confirmed = vi.fn();
  const { user } = await show(<Asking onConfirm={confirmed} />);
  const button = screen.getByRole('button', { name: 'Entfernen …' });
  await user.click(button);
  await screen.findByRole('dialog', { name: 'Entfernen?' });
  expect(document.activeElement?.textContent).toBe('Abbrechen');
  screen.getByText('Weg ist weg.');
  screen.getByText('Geht gerade nicht.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
  expect(confirmed).not.toHaveBeenCalled();
  await user.click(button);
  await user.click(await screen.findByRole('button', { name: 'Entfernen' }));
  expect(confirmed).toHaveBeenCalledOnce();
});

function Refusing() {
  const [error, setError] = useState<string>();
  return (
    <FormDialog
      title="Neu"
      confirm="Anlegen"
      error={error}
      onSubmit={() => setError('Bitte prüfen.')}
      onClose={() => undefined}
    >
      <TextField label="Name" />
      <TextField label="Zahl" error={error && 'Bitte eine Zahl angeben.'} />
    </FormDialog>
  );
}

test('a dialog with fields begins in the first of them, and after a refusal in the faulty one', async () => {
  const { user } = await show(<Refusing />);
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  await user.click(screen.getByRole('button', { name: 'Anlegen' }));
  await screen.findByText('Bitte prüfen.');
  expect(document.activeElement).toBe(screen.getByLabelText('Zahl'));
});

test('an entry of a menu that cannot be chosen now is reached, and says why', async () => {
  const chosen = vi.fn();
  const { user } = await show(
    <main>
      <Menu label="Mehr" trigger={<button type="button">Mehr</button>}>
        <MenuItem onSelect={chosen} barred="Der letzte muss bleiben.">
          Entfernen
        </MenuItem>
        <MenuItem onSelect={chosen}>Ändern</MenuItem>
      </Menu>
    </main>,
  );
  await user.click(screen.getByRole('button', { name: 'Mehr' }));
  const barred = await screen.findByRole('menuitem', { name: /^Entfernen/ });
  expect(barred.textContent).toContain('Der letzte muss bleiben.');
  await user.click(barred);
  expect(chosen).not.toHaveBeenCalled();
  await user.click(screen.getByRole('menuitem', { name: 'Ändern' }));
  expect(chosen).toHaveBeenCalledOnce();
});

test('arrows go from tab to tab', async () => {
  const { user } = await show(
    <Tabs
      label="Bereiche"
      tabs={[
        { value: 'a', label: 'A', content: 'eins' },
        { value: 'b', label: 'B', content: 'zwei' },
      ]}
    />,
  );
  await user.click(screen.getByRole('tab', { name: 'A' }));
  screen.getByText('eins');
  await user.keyboard('{ArrowRight}');
  await screen.findByText('zwei');
});
