import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';

/** Says, wherever payments are only tried out, that they are. */
export function SandboxBanner({ payments }: { payments: string | null | undefined }) {
  const t = useText();
  return payments === 'sandbox' && <Notice kind="info">{t('Test payments. No money moves.')}</Notice>;
}
