export const begriffe = {
  ask: 'What does “{{term}}” mean?',
  verbrannt: {
    name: 'Burnt money',
    text: 'What failed calls cost, and calls that did exactly the same once more. It is part of the cost. What somebody cancelled is not in it.',
  },
  ersatzkurs: {
    name: 'Fallback rate',
    text: 'Prices are in dollars. Until the service has been able to fetch a rate of the European Central Bank it uses a fixed one, which the operator sets.',
  },
  geschaetzt: {
    name: 'Estimated',
    text: 'Your program estimated the tokens of these calls, for instance because the provider reported none. Measured figures are those the provider reported itself.',
  },
  teilbepreist: {
    name: 'Priced only in part',
    text: 'For something about these calls no price is known: a tier, a region or a tool of the provider. The cost holds what is known; the provider may charge more or less.',
  },
  unbepreist: {
    name: 'Without a known price',
    text: 'The model is not in the price list, or tokens are missing. Calls and tokens are counted, the cost is not. Once a price is known it is added. Check the spelling of the model first.',
  },
};
