import { PageHeading } from '../../ui/PageHeading.tsx';

export function PrivacyPage() {
  return <PageHeading>{'Privacy'}</PageHeading>;
}
