import { useTranslation } from 'react-i18next';
import type { Rolle } from '../../api/types.ts';
import { SelectField } from '../../ui/field.tsx';
import { rolesUpTo } from './role-rules.ts';

interface RoleFieldProps {
  /** The role of the choosing user; none above it is offered. */
  own: Rolle;
  value: Rolle;
  onChange: (role: Rolle) => void;
  /** Why the role cannot be chosen. */
  barred?: string | null;
}

/** A role, with a line on what it may do. */
export function RoleField({ own, value, onChange, barred = null }: RoleFieldProps) {
  const { t } = useTranslation();
  const offered = barred === null ? rolesUpTo(own) : [value];
  const choose = (next: string) => {
    const role = offered.find((candidate) => candidate === next);
    if (role) onChange(role);
  };
  return (
    <SelectField
      label={t('benutzer.role')}
      hint={barred ?? t(`rollentext.${value}`)}
      value={value}
      options={offered.map((role) => ({ value: role, label: t(`rolle.${role}`) }))}
      onChange={choose}
      disabled={barred !== null}
    />
  );
}
