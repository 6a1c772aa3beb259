import { PageHeading } from '../../ui/PageHeading.tsx';
import { useText } from '../../ui/text.tsx';

export function SettingsPage() {
  const t = useText();
  return <PageHeading>{t('Settings')}</PageHeading>;
}
