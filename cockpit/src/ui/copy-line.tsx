import { CopyButton } from './copy-button.tsx';

/** A name and a value to copy, as it stands on one line; a long value is cut and shown in full on hover. */
export function CopyLine({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-center gap-1 text-sm">
      <span className="min-w-0 grow">
        <span className="block text-xs text-ink-3">{label}</span>
        <span className="block truncate font-mono text-xs" title={value}>
          {value}
        </span>
      </span>
      <CopyButton compact text={value} what={label} />
    </div>
  );
}
