// The model that is no model: it answers with the feature's own rules, at once and always the same.
import { defineModel, ModelError } from '../../src/features/define.ts';

export default defineModel({
  name: 'rules',
  version: '1.0.0',
  instant: true,
  generate({ rules }) {
    if (!rules)
      throw new ModelError(
        'model_misconfigured',
        'This feature has no rules of its own; choose a model for it.',
      );
    return rules();
  },
});
