import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { CheckField } from '../../ui/form/CheckField.tsx';
import { RichText } from '../../ui/data/RichText.tsx';
import { useText } from '../../ui/text/text.ts';

/** The consent that joining needs, in whatever way. */
export function TermsField(box: Omit<ComponentProps<typeof CheckField>, 'label'>) {
  const t = useText();
  return (
    <CheckField
      {...box}
      required
      label={
        <RichText
          text="I am 18 or older and accept the {terms}. I agree that Heartwood processes what I tell about myself, and whom I would like to meet, as described in the {policy}."
          parts={{
            terms: (
              <Link to="/app/terms" target="_blank">
                {t('Terms')}
              </Link>
            ),
            policy: (
              <Link to="/privacy" target="_blank">
                {t('Privacy Policy')}
              </Link>
            ),
          }}
        />
      }
    />
  );
}
