import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useServiceConfig } from '../../api/service-config.ts';
import { Buttons } from '../../ui/layout/Rows.tsx';

/** Opens a mail to the support team; disabled until its address is known. */
function SupportButton({ supportEmail }: { supportEmail: string | undefined }) {
  const icon = <IconMail size={18} stroke={1.75} aria-hidden="true" />;
  return supportEmail ? (
    <Button component="a" href={`mailto:${supportEmail}`} leftSection={icon}>
      {t`Contact Support`}
    </Button>
  ) : (
    <Button disabled leftSection={icon}>
      {t`Contact Support`}
    </Button>
  );
}

interface ContactAsideProps {
  question: string;
  answer: string;
  /** More ways to contact support, before the mail. */
  children?: ReactNode;
}

/** How to contact support, below a page of texts. */
export function ContactAside({ question, answer, children }: ContactAsideProps) {
  const config = useServiceConfig();
  return (
    <Group
      component="aside"
      gap="1rem 2rem"
      justify="space-between"
      mt="2.5rem"
      py="1.4rem"
      px="1.5rem"
      bdrs="lg"
      bg="var(--hw-accent-soft)"
      aria-label={t`Contact`}
    >
      <div>
        <Text ff="heading" fz="1.2rem" fw={600}>
          {question}
        </Text>
        <Text mt="0.2rem">{answer}</Text>
      </div>
      <Buttons>
        {children}
        <SupportButton supportEmail={config?.supportEmail} />
      </Buttons>
    </Group>
  );
}
