import type { RedactionRule } from '../redaction-rule.ts';
import { isMixed } from './judge.ts';
import { named, shape } from './shape.ts';

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

/** Keys of payments, shops, banks, exchanges and wallets. */
export const paymentRules: readonly RedactionRule[] = [
  shape(
    'stripe-key',
    'Stripe, Clerk, Paystack, Pay.jp',
    /[rs]k_(?:live|test|prod|org)_[A-Za-z0-9_]{16,250}/,
  ),
  shape('stripe-webhook-secret', 'Stripe and Svix webhook', /whsec_[A-Za-z0-9+/=]{20,100}/),
  shape(
    'stripe-client-secret',
    'Stripe client secret',
    /(?:pi|seti|cs|ek)_(?:live_|test_)?[A-Za-z0-9]{14,60}_secret_[A-Za-z0-9]{20,60}/,
  ),
  shape(
    'paypal-token',
    'PayPal and Braintree',
    /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[\da-f]{32}/,
  ),
  named('paypal-secret', 'PayPal', 'paypal', 'E[\\w-]{60,80}', { is: isMixed }),
  named('braintree-key', 'Braintree', 'braintree', '[a-f0-9]{32}'),
  shape('square-token', 'Square', /sq0(?:atp|csp|idp|idb)-[\w-]{22,50}/),
  shape(
    'square-token',
    'Square access token',
    /(?<![A-Za-z0-9/]\+?)EAAA[El][\w-]{55,62}(?![\w-])/,
    { is: isMixed },
  ),
  shape(
    'adyen-key',
    'Adyen',
    /AQE[a-z0-9A-Z]{4,10}[A-Za-z0-9+/]{20,120}={0,2}-[\w+/=<>?.,;:{}[\]()&^%$!@~|-]{30,140}/,
    { is: isMixed },
  ),
  shape('plaid-token', 'Plaid', new RegExp(`access-(?:sandbox|development|production)-${UUID}`)),
  named('plaid-secret', 'Plaid secret', 'plaid', '[a-f0-9]{30}'),
  shape('razorpay-key', 'Razorpay', /rzp_(?:live|test)_[A-Za-z0-9]{14,20}/),
  shape('flutterwave-key', 'Flutterwave', /FLW(?:SEC|PUB)K(?:_TEST)?-[\da-z]{12,40}(?:-X)?/),
  shape('mollie-key', 'Mollie', /(?:live|test)_[A-Za-z0-9]{30,40}(?!\w)/, { is: isMixed }),
  shape('gocardless-token', 'GoCardless', /live_[A-Za-z0-9_-]{40}(?![\w-])/, { is: isMixed }),
  shape('lob-key', 'Lob', /(?:live|test)_(?:pub_)?[\da-f]{31,35}(?!\w)/),
  shape('shippo-token', 'Shippo', /shippo_(?:live|test)_[\da-f]{40}/),
  shape('easypost-key', 'EasyPost', /EZ[AT]K[A-Za-z0-9]{54}/),
  shape('duffel-token', 'Duffel', /duffel_(?:live|test)_[\w=-]{40,50}/),
  shape('ramp-secret', 'Ramp', /ramp_sec_[A-Za-z0-9]{40,60}/),
  shape('mercury-token', 'Mercury', /secret-token:mercury_[a-z]{3,12}_[\w=-]{20,80}/),
  shape('paddle-key', 'Paddle', /pdl_(?:live|sdbx)_apikey_[\w]{30,80}/),
  shape(
    'polar-token',
    'Polar',
    /polar_(?:oat|pat|cst|at_[ou]|rt_[ou]|ci|cs|crt)_[A-Za-z0-9]{30,60}/,
  ),
  shape('omise-key', 'Omise', /skey_(?:test_)?[a-z0-9]{19}(?!\w)/),
  shape('pagarme-key', 'Pagar.me', /[as]k_live_[A-Za-z0-9]{30}/),
  shape('checkout-key', 'Checkout.com', /sk_(?:sbox_)?[a-z0-9]{26}[*#$=]?(?!\w)/),
  shape('shopify-token', 'Shopify', /shp(?:at|ca|pa|ss|ua|tka)_[\da-f]{32}/i),
  shape('coinbase-key', 'Coinbase', new RegExp(`organizations/${UUID}/apiKeys/${UUID}`)),
  named('coinbase-token', 'Coinbase, older', 'coinbase', '[\\w-]{64}'),
  named('binance-key', 'Binance', 'binance', '[A-Za-z0-9]{64}'),
  named('kraken-key', 'Kraken', 'kraken', '[\\w/+]{80,90}={0,2}'),
  named('kucoin-key', 'KuCoin', 'kucoin', `(?:[a-f0-9]{24}|${UUID})`),
  named('bittrex-key', 'Bittrex', 'bittrex', '[a-f0-9]{32}'),
  named('etherscan-key', 'Etherscan', '(?:etherscan|bscscan|polygonscan)', '[A-Z0-9]{34}'),
  named('infura-key', 'Infura', 'infura', '[a-f0-9]{32}'),
  shape(
    'infura-url',
    'Infura and Alchemy addresses',
    /(?:infura\.io|alchemy\.com|quiknode\.pro|alchemyapi\.io)\/(?:ws\/)?(?:v\d\/)?(?<secret>[\w-]{30,64})/,
  ),
  named('alchemy-key', 'Alchemy', 'alchemy', '[\\w-]{32}', { is: isMixed }),
  shape('xprv', 'Extended private key of a wallet', /[xyztuv]prv[A-Za-z0-9]{100,112}/, {
    is: isMixed,
  }),
  named('finnhub-key', 'Finnhub', 'finnhub', '[a-z0-9]{20}'),
  named('finicity-token', 'Finicity', 'finicity', '[a-f0-9]{20,32}'),
  named('wise-token', 'Wise', '(?:transferwise|wise_)', UUID),
  named('freshbooks-token', 'FreshBooks', 'freshbooks', '[a-f0-9]{64}'),
  shape('robinhood-key', 'Robinhood', new RegExp(`rh-api-${UUID}`)),
  named('etsy-key', 'Etsy', 'etsy', '[a-z0-9]{24}'),
  named('squarespace-token', 'Squarespace', 'squarespace', UUID),
  named('bigcommerce-token', 'BigCommerce', 'bigcommerce', '[a-z0-9]{31}'),
];
