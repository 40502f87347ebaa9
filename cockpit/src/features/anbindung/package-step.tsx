import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anbindung } from '../../api/types.ts';
import { linkClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SelectField } from '../../ui/field.tsx';
import { packageExamples } from './packages.ts';
import { placeholder } from './snippet.ts';
import { useAttributeNames } from './use-attribution.ts';

interface PackageStepProps {
  adressen: Anbindung['adressen'];
  /** The key in full, or empty while it is not known on this page. */
  apiKey: string;
}

/** What connects a library or a program: a line in a program that can be run, or settings. */
export function PackageStep({ adressen, apiKey }: PackageStepProps) {
  const { t } = useTranslation();
  const [label, setLabel] = useState(packageExamples[0]?.label ?? '');
  const names = useAttributeNames();
  const example = packageExamples.find((each) => each.label === label);
  if (!example) return null;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">
        {t(example.install === null ? 'anbindung.settingsIntro' : 'anbindung.packageIntro')}
      </p>
      <SelectField
        label={t('anbindung.library')}
        value={label}
        onChange={setLabel}
        options={packageExamples.map((each) => ({ value: each.label, label: each.label }))}
      />
      {example.install !== null && (
        <div className="flex flex-col gap-1">
          <p className="text-xs text-ink-3">{t('anbindung.install')}</p>
          <CodeBlock code={example.install(adressen.basis)} label={t('anbindung.install')} />
        </div>
      )}
      <CodeBlock
        code={example.code({ basis: adressen.basis, key: apiKey || placeholder, names })}
        label={t('anbindung.snippet', { language: label })}
      />
      <Link to="/anbindung/coding-agents" className={`${linkClass} self-start`}>
        {t('codingAgents.link')}
      </Link>
    </div>
  );
}
