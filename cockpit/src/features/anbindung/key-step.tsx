import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TextField } from '../../ui/field.tsx';
import { FreshKey, useCreateKey, useMayManageKeys } from '../schluessel/index.ts';
import { placeholder } from './snippet.ts';

interface KeyStepProps {
  /** There is a key that works, or the user may not see whether there is. */
  hasKey: boolean;
  /** The key created on this page, still known in full. */
  fresh: string | null;
  onFresh: (key: string) => void;
  /** A key pasted by hand. */
  pasted: string;
  onPaste: (key: string) => void;
}

/** There is no key that works: one click makes one. */
function FirstKey({ onFresh }: Pick<KeyStepProps, 'onFresh'>) {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const create = useCreateKey(onFresh);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">{t(may ? 'anbindung.noKey' : 'anbindung.noKeyNoRight')}</p>
      {may && (
        <Button
          kind="primary"
          className="self-start"
          busy={create.isPending}
          onClick={() => create.mutate({})}
        >
          {t('schluessel.create')}
        </Button>
      )}
      {create.error && <ErrorNotice error={create.error} />}
    </div>
  );
}

/** A key that the user has kept, typed or pasted. */
function PastedKey({ pasted, onPaste }: Pick<KeyStepProps, 'pasted' | 'onPaste'>) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('anbindung.paste')}
      hint={t('anbindung.pasteHint')}
      value={pasted}
      onChange={(event) => onPaste(event.target.value.trim())}
      autoComplete="off"
      autoFocus
      spellCheck={false}
      placeholder={placeholder}
      className="font-mono text-sm"
    />
  );
}

/** There are keys, but none is known in full: a new one is one click away; a user who has kept theirs may paste it. */
function ExistingKey({ onFresh, pasted, onPaste }: Omit<KeyStepProps, 'hasKey' | 'fresh'>) {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const create = useCreateKey(onFresh);
  const [pasting, setPasting] = useState(!may);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">{t(may ? 'anbindung.shownOnce' : 'anbindung.shownOnceNoRight')}</p>
      {(may || !pasting) && (
        <div className="flex flex-wrap gap-2">
          {may && (
            <Button kind="primary" busy={create.isPending} onClick={() => create.mutate({})}>
              {t('anbindung.anotherKey')}
            </Button>
          )}
          {!pasting && <Button onClick={() => setPasting(true)}>{t('anbindung.haveKey')}</Button>}
        </div>
      )}
      {create.error && <ErrorNotice error={create.error} />}
      {pasting && <PastedKey pasted={pasted} onPaste={onPaste} />}
    </div>
  );
}

/** First step: a key. */
export function KeyStep({ hasKey, fresh, ...rest }: KeyStepProps) {
  if (fresh !== null) return <FreshKey value={fresh} />;
  return hasKey ? <ExistingKey {...rest} /> : <FirstKey onFresh={rest.onFresh} />;
}
