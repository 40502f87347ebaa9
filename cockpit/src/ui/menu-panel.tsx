/** An open menu and what stands in it: comes when a menu is first opened. */
import { Menu as Base } from 'radix-ui/internal';
import { type ReactNode, type RefObject, useState } from 'react';
import { CheckIcon } from './icons.tsx';
import { Kbd } from './kbd.tsx';
import { type MenuChoiceProps, type MenuItemProps, type MenuParts, MenuPartsContext } from './menu-parts.ts';
import { useFocusBack } from './use-focus-back.ts';

const item =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm outline-none data-[highlighted]:bg-sunken';

function Item({ onSelect, shortcut, barred, narrow = false, children }: MenuItemProps) {
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

function Choice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
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

function Heading({ children }: { children: ReactNode }) {
  return <Base.Label className="px-2 pt-2 pb-1 text-xs font-medium text-ink-3">{children}</Base.Label>;
}

function Separator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}

const parts: MenuParts = { Item, Choice, Heading, Separator };

interface MenuPanelProps {
  id: string;
  label: string;
  button: RefObject<HTMLElement | null>;
  align: 'start' | 'end';
  /** Who opens it by key is at its first entry. */
  byKey: boolean;
  onClose: () => void;
  children: ReactNode;
}

function focusFirstEntry(event: Event): void {
  const first =
    event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('[role^="menuitem"]');
  if (!(first instanceof HTMLElement)) return;
  event.preventDefault();
  first.focus({ preventScroll: true });
}

export function MenuPanel({ id, label, button, align, byKey, onClose, children }: MenuPanelProps) {
  // The main region, so that its content belongs to a landmark. Looked up as the menu opens: another one while it is open would
  // close it.
  const [place] = useState(() => document.querySelector('main'));
  const focusBack = useFocusBack(button);
  return (
    <MenuPartsContext value={parts}>
      <Base.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
        <Base.Anchor virtualRef={button as RefObject<HTMLElement>} />
        <Base.Portal container={place}>
          <Base.Content
            {...focusBack}
            {...(byKey ? { onOpenAutoFocus: focusFirstEntry } : {})}
            id={id}
            aria-labelledby={button.current?.id}
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
    </MenuPartsContext>
  );
}
