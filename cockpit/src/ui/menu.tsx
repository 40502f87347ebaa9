import { DropdownMenu as Base } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { CheckIcon } from './icons.tsx';
import { Kbd } from './kbd.tsx';

interface MenuProps {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A menu that opens from a button. */
export function Menu({ trigger, label, align = 'end', children }: MenuProps) {
  // The main region, so that its content belongs to a landmark. Looked up as the menu opens: another one while it is open would
  // close it.
  const [place, setPlace] = useState<Element | null>(null);
  return (
    <Base.Root modal={false} onOpenChange={(open) => open && setPlace(document.querySelector('main'))}>
      <Base.Trigger asChild>{trigger}</Base.Trigger>
      <Base.Portal container={place}>
        <Base.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[80vh] min-w-52 overflow-y-auto rounded-lg border bg-surface p-1 shadow-float"
        >
          {children}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  );
}

const item =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm outline-none data-[highlighted]:bg-sunken';

interface MenuItemProps {
  onSelect: () => void;
  /** The single key that does the same. */
  shortcut?: string | undefined;
  /** Why it cannot be chosen now. The entry can still be reached, so that the reason is read. */
  barred?: string | undefined;
  /** Only on narrow screens. */
  narrow?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, shortcut, barred, narrow = false, children }: MenuItemProps) {
  if (barred) {
    return (
      <Base.Item aria-disabled onSelect={(event) => event.preventDefault()} className={`${item} py-1.5`}>
        <span className="flex max-w-60 flex-col">
          <span className="text-ink-3">{children}</span>
          <span className="text-xs text-ink-3">{barred}</span>
        </span>
      </Base.Item>
    );
  }
  return (
    <Base.Item onSelect={onSelect} className={`${item} ${narrow ? 'md:hidden' : ''}`}>
      <span className="grow">{children}</span>
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </Base.Item>
  );
}

interface MenuChoiceProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string; shortcut?: string | undefined }[];
  onChange: (value: T) => void;
}

/** A choice of one inside a menu; the chosen entry carries a tick. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  const select = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option) onChange(option.value);
  };
  return (
    <Base.RadioGroup value={value} onValueChange={select} aria-label={label}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={item}>
          <span className="flex w-4 justify-center">
            <Base.ItemIndicator>
              <CheckIcon className="text-accent" />
            </Base.ItemIndicator>
          </span>
          <span className="max-w-72 grow truncate" title={option.label}>
            {option.label}
          </span>
          {option.shortcut && <Kbd>{option.shortcut}</Kbd>}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <Base.Label className="px-2 pt-2 pb-1 text-xs font-medium text-ink-3">{children}</Base.Label>;
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}
