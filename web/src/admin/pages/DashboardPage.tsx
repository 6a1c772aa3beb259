import { PageHeading } from '../../ui/PageHeading.tsx';
import { useText } from '../../ui/text.tsx';

export function DashboardPage() {
  const t = useText();
  return <PageHeading>{t('Dashboard Overview')}</PageHeading>;
}
