import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ansichtenQuery } from '../../api/queries.ts';
import type { Ansicht } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { placeOf } from './search.ts';
import { useOpenView, useRemoveView, useRenameView } from './use-views.ts';

interface RowProps {
  view: Ansicht;
  onDone: () => void;
}

/** In the place of the line; the field has the focus, since the button that was pressed is gone. */
function Rename({ view: { ansicht_id, name: before }, onDone }: RowProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [name, setName] = useState(before);
  const rename = useRenameView(onDone);
  const { error } = rename;
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate({ ansicht_id, name: name.trim() });
      }}
    >
      <div className="min-w-40 grow">
        <TextField
          label={t('ansichten.name')}
          hideLabel
          autoFocus
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          error={error ? (fieldError(error, 'name') ?? sentence(error)) : undefined}
        />
      </div>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" busy={rename.isPending}>
          {t('ui.save')}
        </Button>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
      </div>
    </form>
  );
}

function Remove({ view: { ansicht_id, name }, onDone }: RowProps) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const remove = useRemoveView(onDone);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="min-w-40 grow [overflow-wrap:anywhere]">{t('ansichten.removeSure', { name })}</p>
      <div className="flex gap-2">
        <Button autoFocus onClick={onDone}>
          {t('ui.cancel')}
        </Button>
        <Button kind="harm" busy={remove.isPending} onClick={() => remove.mutate(ansicht_id)}>
          {t('ansichten.remove')}
        </Button>
      </div>
      {remove.error && (
        <Notice tone="harm" live>
          {sentence(remove.error)}
        </Notice>
      )}
    </div>
  );
}

interface LineProps {
  view: Ansicht;
  onOpen: () => void;
  onChange: (what: 'rename' | 'remove') => void;
}

/** A view, where it leads, and what one can do with it. */
function Line({ view, onOpen, onChange }: LineProps) {
  const { t } = useTranslation();
  const { name, pfad } = view;
  const place = placeOf(view);
  return (
    <div className="flex flex-wrap items-center gap-x-1">
      <div className="min-w-40 grow basis-0">
        <button type="button" onClick={onOpen} className={`${linkClass} max-w-full`} title={name}>
          <span className="truncate">{name}</span>
        </button>
        <p className="truncate text-xs text-ink-3">{place ? t(`nav.${place}`) : pfad}</p>
      </div>
      <div className="-mx-3 flex">
        <Button
          kind="quiet"
          aria-label={t('ansichten.renameNamed', { name })}
          onClick={() => onChange('rename')}
        >
          {t('ansichten.rename')}
        </Button>
        <Button
          kind="quiet"
          aria-label={t('ansichten.removeNamed', { name })}
          onClick={() => onChange('remove')}
        >
          {t('ansichten.remove')}
        </Button>
      </div>
    </div>
  );
}

function Lines({ views, onClose }: { views: Ansicht[]; onClose: () => void }) {
  const { t } = useTranslation();
  const open = useOpenView();
  const [changing, setChanging] = useState<{ id: string; what: 'rename' | 'remove' } | null>(null);
  const onDone = () => setChanging(null);
  if (views.length === 0) return <p className="text-ink-3">{t('ansichten.none')}</p>;
  return (
    <ul aria-label={t('ansichten.kept')} className="-my-2 flex flex-col">
      {views.map((view) => {
        const what = changing?.id === view.ansicht_id ? changing.what : null;
        return (
          <li key={view.ansicht_id} className="border-b py-2 last:border-b-0">
            {what === 'rename' && <Rename view={view} onDone={onDone} />}
            {what === 'remove' && <Remove view={view} onDone={onDone} />}
            {what === null && (
              <Line
                view={view}
                onChange={(next) => setChanging({ id: view.ansicht_id, what: next })}
                onOpen={() => {
                  onClose();
                  open(view);
                }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Opens, renames and removes the user's views. */
export function ManageDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(ansichtenQuery);
  return (
    <Dialog open onClose={onClose} title={t('ansichten.manageTitle')}>
      {data ? (
        <Lines views={data.ansichten} onClose={onClose} />
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Skeleton lines={3} height="h-9" />
      )}
    </Dialog>
  );
}
