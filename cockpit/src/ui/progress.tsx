interface ProgressProps {
  label: string;
  /** From 0 to 1; null while nobody knows how much there is. */
  part: number | null;
  /** More than all of it. */
  beyond?: boolean;
}

/** How far something long has come. */
export function Progress({ label, part, beyond = false }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      {...(part === null ? {} : { value: part, max: 1 })}
      className={`block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-webkit-progress-bar]:bg-sunken ${
        beyond
          ? 'accent-warn [&::-moz-progress-bar]:bg-warn [&::-webkit-progress-value]:bg-warn'
          : 'accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent'
      }`}
    />
  );
}
