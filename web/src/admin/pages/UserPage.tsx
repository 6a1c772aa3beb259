import { PageHeading } from '../../ui/PageHeading.tsx';
import { useText } from '../../ui/text.tsx';

export function UserPage() {
  const t = useText();
  return <PageHeading>{t('User')}</PageHeading>;
}
