import { PageHeading } from '../../ui/PageHeading.tsx';
import { useText } from '../../ui/text.tsx';

export function AuditPage() {
  const t = useText();
  return <PageHeading>{t('Audit')}</PageHeading>;
}
