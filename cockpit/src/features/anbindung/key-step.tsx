import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FreshKey, NewKeyDialog, useCreateKey, useMayManageKeys } from '../schluessel/index.ts';

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
  const { sentence } = useErrorText();
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
      {create.error && (
        <Notice tone="harm" live>
          {sentence(create.error)}
        </Notice>
      )}
    </div>
  );
}

/** There are keys, but none is known in full: paste one, or make another. */
function ExistingKey({ onFresh, pasted, onPaste }: Omit<KeyStepProps, 'hasKey' | 'fresh'>) {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const [dialog, setDialog] = useState(false);
  return (
    <div className="flex flex-wrap items-start gap-2">
      <div className="min-w-0 grow basis-64">
        <TextField
          label={t('anbindung.paste')}
          hint={t('anbindung.pasteHint')}
          value={pasted}
          onChange={(event) => onPaste(event.target.value.trim())}
          autoComplete="off"
          spellCheck={false}
          placeholder="zw_live_…"
          className="font-mono text-sm"
        />
      </div>
      {may && (
        <Button className="sm:mt-6" onClick={() => setDialog(true)}>
          {t('schluessel.add')}
        </Button>
      )}
      {dialog && <NewKeyDialog onClose={() => setDialog(false)} onCreated={onFresh} />}
    </div>
  );
}

/** First step: a key. */
export function KeyStep({ hasKey, fresh, ...rest }: KeyStepProps) {
  if (fresh !== null) return <FreshKey value={fresh} />;
  return hasKey ? <ExistingKey {...rest} /> : <FirstKey onFresh={rest.onFresh} />;
}
