import { type ReactNode, useEffect, useRef } from 'react';

/** One step of several in the same place. The next one takes the focus, so that it is read from its beginning. */
export function Step({ name, children }: { name: string; children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null);
  const before = useRef(name);
  useEffect(() => {
    if (before.current === name) return;
    before.current = name;
    // A step that begins with a field has put the focus there itself.
    if (!step.current?.contains(document.activeElement)) step.current?.focus({ preventScroll: true });
    step.current?.scrollIntoView({ block: 'nearest' });
  }, [name]);
  return (
    <div ref={step} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
}
