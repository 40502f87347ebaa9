/** A key of the keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-edge/50 px-1 font-sans text-2xs text-ink-3">
      {children}
    </kbd>
  );
}
