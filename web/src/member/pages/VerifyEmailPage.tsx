import { PageHeading } from '../../ui/PageHeading.tsx';

export function VerifyEmailPage() {
  return <PageHeading>{'VerifyEmail'}</PageHeading>;
}
