import type { ComponentProps, ReactNode } from 'react';

type Kind = 'primary' | 'plain' | 'quiet' | 'harm';

const kinds: Record<Kind, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:opacity-90',
  plain: 'border-edge/60 bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent text-ink-2 hover:bg-sunken hover:text-ink',
  harm: 'border-transparent bg-harm text-on-harm hover:opacity-90',
};

/** The classes of a button, for links that look like one. */
export const buttonClass = (kind: Kind = 'plain') =>
  `inline-flex h-8 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded border px-3 text-sm font-medium disabled:opacity-50 ${kinds[kind]}`;

/** The classes of a link in running text, and of a button that reads like one. */
export const linkClass = 'inline-flex min-h-6 items-center text-accent underline underline-offset-2';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: Kind;
  /** An action is under way: the button keeps its width and takes no second click. */
  busy?: boolean;
}

export function Button({ kind = 'plain', busy = false, className = '', children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      className={`${buttonClass(kind)} ${busy ? 'relative' : ''} ${className}`}
    >
      {children}
      {busy && <span aria-hidden className="spinner" />}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string;
  icon: ReactNode;
}

/** A button that shows only an icon; the label is its name and its tooltip. */
export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded text-ink-2 hover:bg-sunken hover:text-ink disabled:opacity-40 ${className}`}
    >
      {icon}
    </button>
  );
}
