import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Kbd } from '../ui/kbd.tsx';
import { useDialogFocus } from '../ui/use-dialog-focus.ts';
import { type Command, useCommands } from './palette-commands.ts';

interface OpenPaletteProps {
  onClose: () => void;
  onHelp: () => void;
}

/** Search for a place or an action and go there: Ctrl or Command with K. */
export function Palette({ open, ...rest }: OpenPaletteProps & { open: boolean }) {
  return open ? <OpenPalette {...rest} /> : null;
}

function OpenPalette({ onClose, onHelp }: OpenPaletteProps) {
  const { t } = useTranslation();
  const focus = useDialogFocus();
  // After a command the focus goes to the content, not back to where the palette was opened.
  const toContent = useRef(false);
  const onCloseAutoFocus = (event: Event) => {
    if (!toContent.current) return focus.onCloseAutoFocus(event);
    event.preventDefault();
    document.querySelector('main')?.focus({ preventScroll: true });
  };
  const onDone = () => {
    toContent.current = true;
    onClose();
  };
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-lg border bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <PaletteBody onDone={onDone} onHelp={onHelp} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The line that is chosen, and the keys that move it. */
function useChoice(commands: Command[], choose: (command: Command) => void) {
  const [wanted, setAt] = useState(0);
  const at = Math.min(wanted, commands.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commands[at];
    if (event.key === 'Enter' && command) choose(command);
    else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, commands.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  };
  return { at, setAt, onKeyDown };
}

function PaletteBody({ onDone, onHelp }: { onDone: () => void; onHelp: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const commands = useCommands(text, true, onHelp);
  const choose = (command: Command) => {
    onDone();
    command.run();
  };
  const { at, setAt, onKeyDown } = useChoice(commands, choose);
  const search = (next: string) => {
    setText(next);
    setAt(0);
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands[at] && `${id}-${at}`}
        placeholder={t('palette.placeholder')}
        autoComplete="off"
        value={text}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 shrink-0 border-b px-4 text-base outline-none placeholder:text-ink-3"
      />
      <CommandList id={id} commands={commands} at={at} onHover={setAt} onChoose={choose} />
    </>
  );
}

interface CommandListProps {
  id: string;
  commands: Command[];
  at: number;
  onHover: (index: number) => void;
  onChoose: (command: Command) => void;
}

const keepInSight = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'nearest' });

function CommandList({ id, commands, at, onHover, onChoose }: CommandListProps) {
  const { t } = useTranslation();
  if (commands.length === 0) {
    return (
      <p id={id} role="status" className="p-4 text-sm text-ink-3">
        {t('palette.nothing')}
      </p>
    );
  }
  return (
    <div id={id} role="listbox" aria-label={t('palette.title')} className="overflow-y-auto p-1">
      {commands.map((command, index) => (
        <div key={`${command.group} ${command.id}`}>
          {command.group !== commands[index - 1]?.group && (
            <p role="presentation" className="px-3 pt-2 pb-1 text-xs text-ink-3">
              {t(`palette.group.${command.group}`)}
            </p>
          )}
          <div
            ref={index === at ? keepInSight : undefined}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseMove={() => onHover(index)}
            onClick={() => onChoose(command)}
            onKeyDown={(event) => event.key === 'Enter' && onChoose(command)}
            className={`flex min-h-8 cursor-pointer items-center gap-3 rounded-sm px-3 text-sm ${index === at ? 'bg-sunken' : ''}`}
          >
            <CommandText command={command} />
          </div>
        </div>
      ))}
    </div>
  );
}

function CommandText({ command: { label, hint } }: { command: Command }) {
  return (
    <>
      <span className="min-w-0 grow truncate">{label}</span>
      {hint?.length === 1 && <Kbd>{hint}</Kbd>}
      {hint && hint.length > 1 && <span className="max-w-48 truncate text-xs text-ink-3">{hint}</span>}
    </>
  );
}
