import { PageHeading } from '../../ui/PageHeading.tsx';

export function ResetPasswordPage() {
  return <PageHeading>{'ResetPassword'}</PageHeading>;
}
