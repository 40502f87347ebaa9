import { useTranslation } from 'react-i18next';
import { REGELTYP_TEXTE } from '#contracts/rule-names.ts';
import type { Regel } from '../../api/types.ts';

/** The name of a rule; one that nobody has given a name is called after its type in the language of the reader. */
export function useRuleName(): (of: Pick<Regel, 'name' | 'typ' | 'bezug'>) => string {
  const { t } = useTranslation();
  return ({ name, typ, bezug }) => {
    const of = bezug === null ? '' : ` (${bezug})`;
    return name === `${REGELTYP_TEXTE[typ].de}${of}` ? `${t(`regeln.typ.${typ}`)}${of}` : name;
  };
}
