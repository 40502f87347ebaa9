interface ProgressProps {
  label: string;
  /** From 0 to 1; null while nobody knows how much there is. */
  part: number | null;
}

/** How far something long has come. */
export function Progress({ label, part }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      {...(part === null ? {} : { value: part, max: 1 })}
      className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
    />
  );
}
