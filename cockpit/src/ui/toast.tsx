import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';

interface Message {
  id: number;
  text: string;
  tone: 'neutral' | 'harm';
}

const lifetimeMs = 6000;
let messages: Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => publish(messages.filter((message) => message.id !== id));

/** Shows a short message at the edge of the screen; it leaves by itself, unless it reports harm. */
export function toast(text: string, tone: Message['tone'] = 'neutral'): void {
  const id = ++lastId;
  publish([...messages.slice(-2), { id, text, tone }]);
  if (tone === 'neutral') setTimeout(() => dismiss(id), lifetimeMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The place where messages appear; a live region, so that they are read out. */
export function Toaster() {
  const { t } = useTranslation();
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <div
      role="status"
      aria-live="polite"
      aria-label={t('ui.messages')}
      className="pointer-events-none fixed right-4 bottom-18 z-50 flex flex-col items-end gap-2 md:bottom-4"
    >
      {shown.map((message) => (
        <div
          key={message.id}
          className="pointer-events-auto flex max-w-[min(26rem,calc(100vw-2rem))] items-start gap-2 rounded-lg border bg-surface py-1.5 pr-1.5 pl-4 shadow-float"
        >
          <p className={`py-1.5 text-sm ${message.tone === 'harm' ? 'text-harm' : ''}`}>{message.text}</p>
          <IconButton label={t('ui.dismiss')} icon={<CloseIcon />} onClick={() => dismiss(message.id)} />
        </div>
      ))}
    </div>
  );
}
