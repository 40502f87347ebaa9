import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { DownIcon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';

// Most looks at a page need none of it.
const loadMenu = () => import('./views-menu.tsx');
const ViewsMenu = lazy(async () => ({ default: (await loadMenu()).ViewsMenu }));
const SaveDialog = lazy(async () => ({ default: (await import('./save-dialog.tsx')).SaveDialog }));
const ManageDialog = lazy(async () => ({ default: (await import('./manage-dialog.tsx')).ManageDialog }));

const dialogs = { save: SaveDialog, manage: ManageDialog };

/** The views that are kept, and what is shown now as one of them or as a link. */
export function ViewsButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const Opened = open && dialogs[open];
  const trigger = (
    <Button onPointerEnter={loadMenu} onFocus={loadMenu}>
      {t('ansichten.title')}
      <DownIcon className="text-ink-3" />
    </Button>
  );
  return (
    <>
      <Menu label={t('ansichten.title')} trigger={trigger}>
        <Suspense>
          <ViewsMenu onDialog={setOpen} />
        </Suspense>
      </Menu>
      <Suspense>{Opened && <Opened onClose={() => setOpen(null)} />}</Suspense>
    </>
  );
}
