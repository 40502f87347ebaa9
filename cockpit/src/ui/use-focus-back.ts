import { type RefObject, useRef } from 'react';

/** For what opens from a button: the focus goes back to it, unless somebody has pressed or gone elsewhere. */
export function useFocusBack(button: RefObject<HTMLElement | null>) {
  const isElsewhere = useRef(false);
  return {
    onInteractOutside: () => {
      isElsewhere.current = true;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (!isElsewhere.current) button.current?.focus();
    },
  };
}
