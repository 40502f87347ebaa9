/** Reading a CSV file in: choosing it, and why it is not taken. */
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clauseToSentence } from '../api/clause.ts';
import { ApiError, type Fault } from '../api/error.ts';
import { useErrorText } from '../api/use-error-text.ts';
import { Notice } from './notice.tsx';

/** The text of a file. Spreadsheets on Windows still write files that are not UTF-8. */
export async function readCsv(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Where a fault is: `["body", "csv", 3, "eingabe"]`. */
function FaultLine({ fault, tooLarge }: { fault: Fault; tooLarge: string }) {
  const { t } = useTranslation();
  const place = fault.loc.slice(fault.loc.indexOf('csv') + 1);
  const [line, column] = [place.find(Number.isInteger), place.findLast((part) => typeof part === 'string')];
  const reason = typeof fault.ctx?.error === 'string' ? clauseToSentence(fault.ctx.error) : null;
  const text = reason ?? (fault.type === 'string_too_long' ? tooLarge : t('fault.other'));
  const where =
    line === undefined
      ? ''
      : column === undefined
        ? t('csv.line', { line })
        : t('csv.cell', { line, column });
  return (
    <li className="border-b py-1.5 text-sm last:border-b-0">
      {where && <span className="font-medium">{where}: </span>}
      <span className="[overflow-wrap:anywhere]">{text}</span>
    </li>
  );
}

interface CsvRefusalProps {
  error: unknown;
  /** What is said of a file with too many characters. */
  tooLarge: string;
}

/** Why a file is not taken, line by line. */
export function CsvRefusal({ error, tooLarge }: CsvRefusalProps) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const faults = error instanceof ApiError ? error.faults : [];
  return (
    <>
      <Notice tone="harm" live>
        {faults.length > 0 ? t('csv.faults', { count: faults.length }) : sentence(error)}
      </Notice>
      <ul className="flex flex-col">
        {faults.map((fault) => (
          <FaultLine key={JSON.stringify([fault.loc, fault.ctx])} fault={fault} tooLarge={tooLarge} />
        ))}
      </ul>
    </>
  );
}

interface CsvFieldProps {
  onChoose: (file: File) => void;
  /** What the file is, where it need not be a CSV, and which ones a browser offers. */
  other?: { label: string; accept: string };
}

/** Chooses a file; browsers name their own button for it in their language. */
export function CsvField({ onChoose, other }: CsvFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState<string | null>(null);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {other?.label ?? t('csv.file')}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={other?.accept ?? '.csv,text/csv'}
        aria-describedby={`${id}-name`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) {
            setName(file.name);
            onChoose(file);
          }
          // The same file can be chosen again once it is mended.
          event.target.value = '';
        }}
        className="peer sr-only"
      />
      <div className="flex min-w-0 items-center gap-2 rounded border border-edge bg-surface p-1 text-sm peer-focus-visible:outline-2 peer-focus-visible:outline-accent">
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={() => input.current?.click()}
          className="shrink-0 rounded-sm bg-sunken px-2 py-1 text-ink hover:opacity-80"
        >
          {t('csv.choose')}
        </button>
        <span id={`${id}-name`} className={`min-w-0 truncate ${name === null ? 'text-ink-3' : ''}`}>
          {name ?? t('csv.none')}
        </span>
      </div>
    </div>
  );
}
