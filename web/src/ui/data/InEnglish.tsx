import { t } from '@lingui/core/macro';
import { language } from '../text/text.ts';
import { Tag } from './Tag.tsx';

/** Words that exist only in English, which a mark shows to readers of other languages. */
export function InEnglish({ children }: { children: string }) {
  if (language === 'en') return children;
  return (
    <>
      <span lang="en" dir="ltr">
        {children}
      </span>{' '}
      <Tag tone="quiet">{t`English`}</Tag>
    </>
  );
}
