import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { t } from '../text/text.ts';

/** Opens a mail to the support team; disabled until its address is known. */
export function SupportButton({ supportEmail }: { supportEmail: string | undefined }) {
  const icon = <IconMail size={18} stroke={1.75} aria-hidden="true" />;
  return supportEmail ? (
    <Button component="a" href={`mailto:${supportEmail}`} leftSection={icon}>
      {t('Contact Support')}
    </Button>
  ) : (
    <Button disabled leftSection={icon}>
      {t('Contact Support')}
    </Button>
  );
}
