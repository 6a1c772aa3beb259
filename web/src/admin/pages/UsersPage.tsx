import { PageHeading } from '../../ui/PageHeading.tsx';
import { useText } from '../../ui/text.tsx';

export function UsersPage() {
  const t = useText();
  return <PageHeading>{t('Users Management')}</PageHeading>;
}
