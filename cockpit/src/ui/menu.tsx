import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { loadOverlays } from './load-overlays.ts';
import { type MenuChoiceProps, type MenuItemProps, type MenuParts, MenuPartsContext } from './menu-parts.ts';

// Nobody needs it before a button is pressed.
const MenuPanel = lazy(async () => ({ default: (await loadOverlays()).MenuPanel }));

function useParts(): MenuParts {
  const parts = useContext(MenuPartsContext);
  if (!parts) throw new Error('an entry of a menu stands in no menu');
  return parts;
}

const openingKeys = ['Enter', ' ', 'ArrowDown'];

/** Opens and closes a menu as menus of an operating system do: as the pointer goes down, or by key. */
function useMenuButton() {
  const [openedBy, setOpenedBy] = useState<'pointer' | 'key' | null>(null);
  const close = () => setOpenedBy(null);
  const isOpen = openedBy !== null;
  // Before the menu has come nothing else hears of it.
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && setOpenedBy(null);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
  return {
    openedBy,
    close,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || event.ctrlKey) return;
      if (openedBy) return close();
      setOpenedBy('pointer');
      // The focus goes to the menu.
      event.preventDefault();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (!openingKeys.includes(event.key)) return;
      event.preventDefault();
      setOpenedBy(openedBy && event.key !== 'ArrowDown' ? null : 'key');
    },
  };
}

interface MenuProps {
  trigger: ReactElement<ComponentProps<'button'>>;
  label: string;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A menu that opens from a button. */
export function Menu({ trigger, label, align = 'end', children }: MenuProps) {
  const { openedBy, close, ...handlers } = useMenuButton();
  const button = useRef<HTMLButtonElement>(null);
  const [buttonId, panelId] = [useId(), useId()];
  const open = openedBy !== null;
  return (
    <>
      {cloneElement(trigger, {
        ...handlers,
        ref: button,
        id: buttonId,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? panelId : undefined,
      })}
      {open && (
        <Suspense>
          <MenuPanel
            id={panelId}
            label={label}
            button={button}
            align={align}
            byKey={openedBy === 'key'}
            onClose={close}
          >
            {children}
          </MenuPanel>
        </Suspense>
      )}
    </>
  );
}

export function MenuItem(props: MenuItemProps) {
  const { Item } = useParts();
  return <Item {...props} />;
}

/** A choice of one inside a menu; the chosen entry carries a tick. */
export function MenuChoice<T extends string>(props: MenuChoiceProps<T>) {
  const { Choice } = useParts();
  return <Choice {...props} />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
  const { Heading } = useParts();
  return <Heading>{children}</Heading>;
}

export function MenuSeparator() {
  const { Separator } = useParts();
  return <Separator />;
}
