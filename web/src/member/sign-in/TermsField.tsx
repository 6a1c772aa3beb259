import { t } from '@lingui/core/macro';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { RichText } from '../../ui/data/RichText.tsx';
import { CheckField } from '../../ui/form/Field.tsx';

/** The consent needed to join, with a password or with a provider. */
export function TermsField(box: Omit<ComponentProps<typeof CheckField>, 'label'>) {
  return (
    <CheckField
      {...box}
      required
      label={
        <RichText
          text={({ terms, policy }) =>
            t`I am 18 or older and accept the ${terms}. I agree that {brand} processes what I share about myself, and who I would like to meet, as described in the ${policy}.`
          }
          parts={{
            terms: (
              <Link to="/app/terms" target="_blank">
                {t`Terms`}
              </Link>
            ),
            policy: (
              <Link to="/privacy" target="_blank">
                {t`Privacy Policy`}
              </Link>
            ),
          }}
        />
      }
    />
  );
}
