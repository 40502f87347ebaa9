import { CopyButton } from './copy-button.tsx';

interface SecretOutputProps {
  label: string;
  /** What is copied. */
  value: string;
  /** How it is shown, where that is easier to read. */
  shown?: string;
  /** What the message after copying calls it. */
  what: string;
}

/** A secret to copy or to type off. */
export function SecretOutput({ label, value, shown = value, what }: SecretOutputProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <output
        aria-label={label}
        className="min-w-0 grow basis-64 rounded border border-edge bg-surface px-2.5 py-1.5 font-mono text-sm [overflow-wrap:anywhere]"
      >
        {shown}
      </output>
      <CopyButton text={value} what={what} />
    </div>
  );
}
