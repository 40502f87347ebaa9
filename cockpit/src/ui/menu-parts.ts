/** What stands in a menu: pages name it, the open menu brings along what it is made of. */
import { createContext, type ReactNode } from 'react';

export interface MenuItemProps {
  onSelect: () => void;
  /** The single key that does the same. */
  shortcut?: string | undefined;
  /** Why it cannot be chosen now. The entry can still be reached, so that the reason is read. */
  barred?: string | undefined;
  /** Only on narrow screens. */
  narrow?: boolean;
  children: ReactNode;
}

export interface MenuChoiceProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string; shortcut?: string | undefined }[];
  onChange: (value: T) => void;
}

export interface MenuParts {
  Item: (props: MenuItemProps) => ReactNode;
  Choice: <T extends string>(props: MenuChoiceProps<T>) => ReactNode;
  Heading: (props: { children: ReactNode }) => ReactNode;
  Separator: () => ReactNode;
}

/** Null outside of an open menu. */
export const MenuPartsContext = createContext<MenuParts | null>(null);
