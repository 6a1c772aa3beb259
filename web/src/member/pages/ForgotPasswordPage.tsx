import { PageHeading } from '../../ui/PageHeading.tsx';

export function ForgotPasswordPage() {
  return <PageHeading>{'ForgotPassword'}</PageHeading>;
}
